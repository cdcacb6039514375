"""Image-like tensors: filters, pooling, downsampling, flips - by hand."""
import torch
import torch.nn.functional as F

H = W = 6
ys, xs = torch.meshgrid(torch.arange(H), torch.arange(W), indexing="ij")
img = (((ys // 2 + xs // 2) % 2) * 9).float()
img[2, 3] = 5

def show(t, chars=" .:-=+*#%@"):
    for row in t.tolist():
        print("|" + "".join(chars[int(v)] for v in row) + "|")

show(img)
print(img)

def conv2d(x, k, pad=0):
    if pad:
        x = F.pad(x, (pad,) * 4)
    kh, kw = k.shape
    out = torch.zeros(x.shape[0] - kh + 1, x.shape[1] - kw + 1)
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = (x[i:i + kh, j:j + kw] * k).sum()
    return out

box = torch.full((3, 3), 1.0)
print(conv2d(img, box) / 9)
sobel = torch.tensor([[-1., 0, 1], [-2, 0, 2], [-1, 0, 1]])
gx, gy = conv2d(img, sobel, 1), conv2d(img, sobel.T, 1)
print(gx, gy.shape)
print((gx ** 2 + gy ** 2).sqrt().round(decimals=2))
ref = F.conv2d(img[None, None], sobel[None, None], padding=1)[0, 0]
print("same as F.conv2d:", torch.equal(ref, gx))

blocks = img.reshape(3, 2, 3, 2)
print("avg", blocks.mean((1, 3)), "max", blocks.amax(dim=(1, 3)), sep="\n")
print(F.max_pool2d(img[None], 2)[0].equal(blocks.amax((1, 3))), blocks.stride())
print(F.avg_pool2d(img[None, None], kernel_size=3, stride=3).squeeze())
v, i = F.max_pool2d(img[None, None], 3, return_indices=True)
print(v.squeeze(), i.squeeze())
print(img[::2, ::2], img[1::3].shape)
print(torch.equal(img.flip(1), img.fliplr()), torch.equal(img.flip(0, 1), img.rot90(2)), img.flip(0)[0])
up = img[:2, :3].repeat_interleave(2, 0).repeat_interleave(2, 1)
print(up, torch.equal(up, F.interpolate(img[None, None, :2, :3], scale_factor=2)[0, 0]))

rgb = torch.stack([img, img.T, 9 - img]).mul(28).to(torch.uint8)
print(rgb.shape, rgb.dtype, rgb.permute(1, 2, 0)[0, 0], rgb[:, 2, 3])
gray = (rgb.float() * torch.tensor([0.299, 0.587, 0.114]).view(3, 1, 1)).sum(0)
print(gray[:2], rgb.float().mean((1, 2)), rgb.float().std(dim=(1, 2)))
integral = img.cumsum(0).cumsum(1)
print(integral[-1, -1].item(), img.sum().item(), (integral[3, 3] - integral[0, 3] - integral[3, 0] + integral[0, 0]).item(), img[1:4, 1:4].sum().item())
print(torch.histc(img, bins=5, min=0, max=9), (img > img.mean()).float().mean())
