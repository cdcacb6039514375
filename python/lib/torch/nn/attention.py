"""Attention of several heads, and the encoder of Vaswani et al. (2017) made of it."""

import copy as _copy

import _torch as _C
from torch.nn import functional as F
from torch.nn import init
from torch.nn.containers import ModuleList
from torch.nn.layers import Dropout, LayerNorm, Linear
from torch.nn.module import Module
from torch.nn.parameter import Parameter


class NonDynamicallyQuantizableLinear(Linear):
    """The name under which PyTorch shows the last product of an attention."""


def _additive(mask, like):
    """What is added to scores: where a mask of truth values says so, minus infinity."""
    if mask is None or mask.dtype != _C.bool:
        return mask
    return _C.zeros(mask.shape, dtype=like.dtype, device=like.device).masked_fill_(mask, float("-inf"))


class MultiheadAttention(Module):
    """Query `(L, N, E)`, key and value `(S, N, E)`; with `batch_first` the batch N stands first, and it may be missing."""

    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None, vdim=None, batch_first=False, device=None, dtype=None):
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and num_heads={num_heads} instead"
            )
        super().__init__()
        if add_bias_kv or add_zero_attn:
            raise NotImplementedError("MultiheadAttention with add_bias_kv or add_zero_attn")
        self.embed_dim, self.num_heads, self.dropout, self.batch_first = embed_dim, num_heads, dropout, batch_first
        self.kdim, self.vdim = embed_dim if kdim is None else kdim, embed_dim if vdim is None else vdim
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")
        like = {"device": device, "dtype": dtype}
        self._is_joint = self.kdim == self.vdim == embed_dim
        if self._is_joint:
            self.in_proj_weight = Parameter(_C.empty(3 * embed_dim, embed_dim, **like))
        else:
            for name, width in (("q", embed_dim), ("k", self.kdim), ("v", self.vdim)):
                setattr(self, f"{name}_proj_weight", Parameter(_C.empty(embed_dim, width, **like)))
        self.register_parameter("in_proj_bias", Parameter(_C.empty(3 * embed_dim, **like)) if bias else None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, **like)
        for name, weight in self._parameters.items():
            if name.endswith("weight") and weight is not None:
                init.xavier_uniform_(weight)
        if bias:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)

    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, average_attn_weights=True, is_causal=False):
        """The output, and with `need_weights` how much each place looks at each other one."""
        if query.shape[-1] != self.embed_dim:
            raise AssertionError(f"was expecting embedding dimension of {self.embed_dim}, but got {query.shape[-1]}")
        is_batched = query.dim() == 3
        tensors = [query, key, value]
        if not is_batched:
            tensors = [x.unsqueeze(0) for x in tensors]
            key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
        elif not self.batch_first:
            tensors = [x.transpose(0, 1) for x in tensors]
        if is_causal and attn_mask is None:
            raise RuntimeError("Need attn_mask if specifying the is_causal hint.")
        names = ("q_proj_weight", "k_proj_weight", "v_proj_weight")
        weights = self.in_proj_weight.chunk(3) if self._is_joint else [getattr(self, name) for name in names]
        biases = [None] * 3 if self.in_proj_bias is None else self.in_proj_bias.chunk(3)
        q, k, v = (
            F.linear(x, weight, bias).unflatten(-1, (self.num_heads, self.head_dim)).transpose(1, 2)
            for x, weight, bias in zip(tensors, weights, biases)
        )
        sizes = (q.shape[2], k.shape[2])
        if attn_mask is not None and attn_mask.dim() == 2 and attn_mask.shape != sizes:
            raise RuntimeError(f"The shape of the 2D attn_mask is {attn_mask.shape}, but should be {sizes}.")
        mask = _additive(attn_mask, q)
        if mask is not None and mask.dim() == 3:
            mask = mask.view(-1, self.num_heads, *mask.shape[1:])
        if key_padding_mask is not None:
            hidden = _additive(key_padding_mask, q)[:, None, None, :]
            mask = hidden if mask is None else mask + hidden
        p = self.dropout if self.training else 0.0
        if need_weights:
            scores = (q * self.head_dim**-0.5) @ k.transpose(-2, -1)
            weights = F.softmax(scores if mask is None else scores + mask, -1)
            weights = F.dropout(weights, p) if p else weights
            heads = weights @ v
        else:
            heads, weights = F.scaled_dot_product_attention(q, k, v, mask, p), None
        # It lies in memory with the places first, whatever comes first in its shape.
        output = F.linear(heads.permute(2, 0, 1, 3).flatten(-2), self.out_proj.weight, self.out_proj.bias)
        if weights is not None:
            weights = weights.mean(1) if average_attn_weights else weights
            weights = weights if is_batched else weights.squeeze(0)
        if not is_batched:
            return output.squeeze(1), weights
        return output.transpose(0, 1) if self.batch_first else output, weights


class TransformerEncoderLayer(Module):
    """Attention and two products with an activation, each added to what came in, with a norm before or after it."""

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-5, batch_first=False, norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        like = {"device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, **like)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **like)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **like)
        self.norm_first = norm_first
        self.norm1, self.norm2 = (LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **like) for _ in range(2))
        self.dropout1, self.dropout2 = Dropout(dropout), Dropout(dropout)
        if isinstance(activation, str):
            if activation not in ("relu", "gelu"):
                raise RuntimeError(f"activation should be relu/gelu, not {activation}")
            activation = getattr(F, activation)
        self.activation = activation

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        def attend(x):
            return self.dropout1(self.self_attn(x, x, x, src_key_padding_mask, False, src_mask)[0])

        def feed(x):
            return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))

        for norm, part in ((self.norm1, attend), (self.norm2, feed)):
            src = src + part(norm(src)) if self.norm_first else norm(src + part(src))
        return src


class TransformerEncoder(Module):
    """Copies of a layer, one behind the other."""

    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers = ModuleList([_copy.deepcopy(encoder_layer) for _ in range(num_layers)])
        self.num_layers = num_layers
        self.norm = norm

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        for layer in self.layers:
            src = layer(src, mask, src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


__all__ = ["MultiheadAttention", "TransformerEncoder", "TransformerEncoderLayer"]
