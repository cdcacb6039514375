"""Sequences of several lengths."""

from collections import namedtuple

import _torch as _C


class PackedSequence(namedtuple("PackedSequence", "data batch_sizes sorted_indices unsorted_indices")):
    """Sequences side by side, step by step: `batch_sizes[t]` of them, from the longest to the shortest, have a step t.
    `data` is `(sum of all lengths, …)`."""

    __slots__ = ()

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if unsorted_indices is None and sorted_indices is not None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args, **kwargs):
        return self._replace(data=self.data.to(*args, **kwargs))

    is_cuda = property(lambda self: self.data.is_cuda)


def invert_permutation(permutation):
    return None if permutation is None else permutation.argsort()


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    lengths = lengths if isinstance(lengths, _C.TensorBase) else _C.tensor(lengths)
    input = input if batch_first else input.transpose(0, 1)
    order = None
    if not enforce_sorted:
        lengths, order = lengths.sort(descending=True)
        input = input.index_select(0, order)
    sizes = lengths.tolist()
    if len(sizes) != len(input):
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(sizes)} (batch_size={len(input)})"
        )
    if min(sizes) <= 0:
        raise RuntimeError("Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0")
    if any(one < other for one, other in zip(sizes, sizes[1:])):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
            "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you do "
            "not need ONNX exportability."
        )
    batch_sizes = [sum(size > step for size in sizes) for step in range(sizes[0])]
    data = _C.cat([input[:count, step] for step, count in enumerate(batch_sizes)])
    return PackedSequence(data, _C.tensor(batch_sizes), order)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """One tensor of all, and their lengths."""
    sizes = sequence.batch_sizes.tolist()
    if total_length is not None and total_length < len(sizes):
        raise ValueError(
            "Expected total_length to be at least the length of the longest sequence in input, but got "
            f"total_length={total_length} and max sequence length being {len(sizes)}"
        )
    steps = []
    for step in sequence.data.split(sizes):
        edge = step.new_full((sizes[0] - len(step), *step.shape[1:]), padding_value)
        steps.append(_C.cat([step, edge]) if len(edge) else step)
    for _ in range(len(sizes), total_length or 0):
        steps.append(steps[0].new_full(steps[0].shape, padding_value))
    padded = _C.stack(steps)
    lengths = _C.tensor([sum(row < size for size in sizes) for row in range(sizes[0])])
    if sequence.unsorted_indices is not None:
        padded = padded.index_select(1, sequence.unsorted_indices)
        lengths = lengths[sequence.unsorted_indices]
    return padded.transpose(0, 1) if batch_first else padded, lengths


def pack_sequence(sequences, enforce_sorted=True):
    lengths = [len(sequence) for sequence in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences):
    return unpad_sequence(*pad_packed_sequence(packed_sequences, batch_first=True), batch_first=True)


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """One tensor of all, in which the shorter ones go on with the padding."""
    sequences = list(sequences)
    longest = max(len(sequence) for sequence in sequences)
    rows = []
    for sequence in sequences:
        edge = sequence.new_full((longest - len(sequence), *sequence.shape[1:]), padding_value)
        rows.append(_C.cat([sequence, edge] if padding_side == "right" else [edge, sequence]))
    return _C.stack(rows, 0 if batch_first else 1)


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    return [row[: int(length)] for row, length in zip(rows, lengths)]
