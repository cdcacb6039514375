"""Times square products of random matrices, the yardstick of `napkin bench matmul`.

    python products.py [--n 128,256] [--device cpu]                     by NumPy, in float32
    python products.py [--n 128,256] --device cuda [--dtype f32,f16]    by PyTorch; nothing where it has no GPU

Prints JSON: for each product n, dtype and gflop_per_sec, by the median of samples of some 60 ms. float32 is not rounded
to TF32, and float16 is added up in float32.
"""

import argparse
import json
import statistics
import time


def numpy_product(n, dtype):
    import numpy

    random = numpy.random.default_rng(n)
    a, b = (random.uniform(-1, 1, (n, n)).astype(numpy.float32) for _ in range(2))
    out = numpy.empty((n, n), numpy.float32)

    def run(count):
        for _ in range(count):
            numpy.matmul(a, b, out=out)

    return run


def cuda_product(n, dtype):
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    element = {"f32": torch.float32, "f16": torch.float16}[dtype]
    a, b = (torch.rand(n, n, device="cuda").mul(2).sub(1).to(element) for _ in range(2))
    out = torch.empty(n, n, dtype=element, device="cuda")

    def run(count):
        for _ in range(count):
            torch.matmul(a, b, out=out)
        torch.cuda.synchronize()

    return run


def seconds(run, sample_secs=0.06, samples=9):
    def timed(count):
        start = time.perf_counter()
        run(count)
        return (time.perf_counter() - start) / count

    timed(3)
    count = max(1, round(sample_secs / timed(3)))
    return statistics.median(timed(count) for _ in range(samples))


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--n", default="128,256,512,1024")
    args.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    args.add_argument("--dtype", default="f32")
    args = args.parse_args()
    product = numpy_product
    dtypes = args.dtype.split(",")
    if args.device == "cuda":
        import torch

        product = cuda_product
        dtypes = dtypes if torch.cuda.is_available() else []
    rows = []
    for dtype in dtypes:
        for n in map(int, args.n.split(",")):
            speed = 2 * n**3 / seconds(product(n, dtype)) / 1e9
            rows.append({"n": n, "dtype": dtype, "gflop_per_sec": speed})
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
