"""Sequences of several lengths."""

import _torch as _C


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
