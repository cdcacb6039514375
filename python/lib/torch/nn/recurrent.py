"""Recurrent networks: a step for each element of a sequence, by what the steps before have left."""

import _torch as _C
from torch.nn import functional as F
from torch.nn import init
from torch.nn.module import Module
from torch.nn.parameter import Parameter
from torch.nn.utils.rnn import PackedSequence


def _simple(function):
    def step(x, state, weights):
        w_ih, w_hh, b_ih, b_hh = weights
        return (getattr(F.linear(x, w_ih, b_ih) + F.linear(state[0], w_hh, b_hh), function)(),)

    return step


def _gru(x, state, weights):
    w_ih, w_hh, b_ih, b_hh = weights
    given, kept = F.linear(x, w_ih, b_ih).chunk(3, -1), F.linear(state[0], w_hh, b_hh).chunk(3, -1)
    reset, update = (given[0] + kept[0]).sigmoid(), (given[1] + kept[1]).sigmoid()
    new = (given[2] + reset * kept[2]).tanh()
    return ((state[0] - new) * update + new,)


def _lstm(x, state, weights):
    w_ih, w_hh, b_ih, b_hh = weights
    gates = F.linear(x, w_ih, b_ih) + F.linear(state[0], w_hh, b_hh)
    enter, forget, new, leave = gates.chunk(4, -1)
    cell = forget.sigmoid() * state[1] + enter.sigmoid() * new.tanh()
    return leave.sigmoid() * cell.tanh(), cell


def _first_rows(state, count):
    return state if len(state[0]) == count else tuple(kept[:count] for kept in state)


def _with_rows(state, left):
    """The state where the sequences that have ended keep theirs."""
    count = len(left[0])
    if len(state[0]) == count:
        return left
    return tuple(_C.cat([new, kept[count:]]) for new, kept in zip(left, state))


def _ordered(states, order):
    return states if order is None else tuple(state.index_select(1, order) for state in states)


class _Weights(Module):
    """The matrices of one step: by gates of the input, of the state, and a bias of each."""

    _gates, _states = 1, 1

    def _register(self, suffix, inputs, hidden, bias, like):
        rows = self._gates * hidden
        shapes = {"weight_ih": (rows, inputs), "weight_hh": (rows, hidden), "bias_ih": (rows,), "bias_hh": (rows,)}
        for name, shape in shapes.items():
            is_there = bias or name.startswith("weight")
            self.register_parameter(name + suffix, Parameter(_C.empty(shape, **like)) if is_there else None)

    def reset_parameters(self):
        bound = self.hidden_size**-0.5 if self.hidden_size > 0 else 0
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def _of(self, suffix):
        return [getattr(self, name + suffix) for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]

    def _given(self, state):
        return (state,) if self._states == 1 else tuple(state)


class _Recurrent(_Weights):
    """Inputs `(L, N, input_size)`, with `batch_first` `(N, L, input_size)`; the batch N may be missing."""

    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, device=None, dtype=None):
        if not isinstance(dropout, (int, float)) or isinstance(dropout, bool) or not 0 <= dropout <= 1:
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
            )
        for name, value in (("hidden_size", hidden_size), ("num_layers", num_layers)):
            if value <= 0:
                raise ValueError(f"{name} must be greater than zero")
        super().__init__()
        self.input_size, self.hidden_size, self.num_layers, self.bias = input_size, hidden_size, num_layers, bias
        self.batch_first, self.dropout, self.bidirectional = batch_first, float(dropout), bidirectional
        self._ways = ["", "_reverse"] if bidirectional else [""]
        for layer in range(num_layers):
            for way in self._ways:
                inputs = input_size if layer == 0 else hidden_size * len(self._ways)
                self._register(f"_l{layer}{way}", inputs, hidden_size, bias, {"device": device, "dtype": dtype})
        self.reset_parameters()

    def forward(self, input, hx=None):
        width = (input.data if isinstance(input, PackedSequence) else input).shape[-1]
        if width != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {width}"
            )
        if isinstance(input, PackedSequence):
            return self._packed(input, hx)
        if input.dim() not in (2, 3):
            raise ValueError(f"{type(self).__name__}: Expected input to be 2D or 3D, got {input.dim()}D instead")
        is_batched = input.dim() == 3
        x = input.unsqueeze(1) if not is_batched else input.transpose(0, 1) if self.batch_first else input
        first = self._begin(x, x.shape[1], None if hx is None else self._given(hx), is_batched)
        x, last = self._layers(x, first, lambda x: list(x.unbind(0)), _C.stack)
        if not is_batched:
            x, last = x.squeeze(1), tuple(state.squeeze(1) for state in last)
        elif self.batch_first:
            x = x.transpose(0, 1)
        return x, last[0] if self._states == 1 else last

    def _packed(self, input, hx):
        """Sequences of several lengths, which lie from the longest to the shortest."""
        sizes = input.batch_sizes.tolist()
        order, back = input.sorted_indices, input.unsorted_indices
        first = self._begin(input.data, sizes[0], None if hx is None else _ordered(self._given(hx), order))
        x, last = self._layers(input.data, first, lambda x: list(x.split(sizes)), _C.cat)
        last = _ordered(last, back)
        return PackedSequence(x, input.batch_sizes, order, back), last[0] if self._states == 1 else last

    def _begin(self, x, batch, given, is_batched=True):
        """The state of each layer and way before the first step: zeros where none is given."""
        if given is None:
            count = self.num_layers * len(self._ways)
            return (_C.zeros(count, batch, self.hidden_size, dtype=x.dtype, device=x.device),) * self._states
        states = tuple(state if is_batched else state.unsqueeze(1) for state in given)
        expected = (self.num_layers * len(self._ways), batch, self.hidden_size)
        for state, name in zip(states, ("hidden[0]", "hidden[1]") if self._states == 2 else ("hidden",)):
            if state.shape != expected:
                raise RuntimeError(f"Expected {name} size {expected}, got {list(state.shape)}")
        return states

    def _layers(self, x, first, apart, join):
        last = []
        for layer in range(self.num_layers):
            ways = []
            for way in self._ways:
                state = tuple(kept[len(last)] for kept in first)
                weights, steps, found = self._of(f"_l{layer}{way}"), apart(x), []
                for step in reversed(steps) if way else steps:
                    left = self._step(step, _first_rows(state, len(step)), weights)
                    found.append(left[0])
                    state = _with_rows(state, left)
                ways.append(join(found[::-1] if way else found))
                last.append(state)
            x = ways[0] if len(ways) == 1 else _C.cat(ways, -1)
            if self.dropout and layer < self.num_layers - 1:
                x = F.dropout(x, self.dropout, self.training)
        return x, tuple(_C.stack(list(states)) for states in zip(*last))

    @property
    def _flat_weights(self):
        return list(self.parameters())

    def flatten_parameters(self):
        """They lie as they lie."""

    def extra_repr(self):
        shown = {"num_layers": 1, "bias": True, "batch_first": False, "dropout": 0.0, "bidirectional": False}
        other = [f"{name}={getattr(self, name)}" for name, default in shown.items() if getattr(self, name) != default]
        return ", ".join([str(self.input_size), str(self.hidden_size), *other])


class LSTM(_Recurrent):
    _gates, _states, _step = 4, 2, staticmethod(_lstm)


class GRU(_Recurrent):
    _gates, _step = 3, staticmethod(_gru)


class RNN(_Recurrent):
    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True, batch_first=False, dropout=0.0, bidirectional=False, device=None, dtype=None):
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, device, dtype)
        self.nonlinearity = nonlinearity
        self._step = _simple(nonlinearity)


class _Cell(_Weights):
    """One step, of `(N, input_size)` or of `(input_size,)`."""

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        self._register("", input_size, hidden_size, bias, {"device": device, "dtype": dtype})
        self.reset_parameters()

    def forward(self, input, hx=None):
        if hx is None:
            zeros = _C.zeros(*input.shape[:-1], self.hidden_size, dtype=input.dtype, device=input.device)
            hx = zeros if self._states == 1 else (zeros, zeros)
        state = self._step(input, self._given(hx), self._of(""))
        return state[0] if self._states == 1 else state

    def extra_repr(self):
        return f"{self.input_size}, {self.hidden_size}" + ("" if self.bias else ", bias=False")


class LSTMCell(_Cell):
    _gates, _states, _step = 4, 2, staticmethod(_lstm)


class GRUCell(_Cell):
    _gates, _step = 3, staticmethod(_gru)


class RNNCell(_Cell):
    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, device, dtype)
        self.nonlinearity, self._step = nonlinearity, _simple(nonlinearity)

    def extra_repr(self):
        return super().extra_repr() + (f", nonlinearity={self.nonlinearity}" if self.nonlinearity != "tanh" else "")


__all__ = ["GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNCell"]
