"""Merges the bytes of a piece of text: always the pair of the lowest rank, the leftmost of equals, until none is left."""

import heapq

# Up to here looking over the whole list for the next pair costs less than keeping a heap.
_SHORT = 400
_NEVER = 1 << 60


def merge(piece, ranks):
    """The tokens of a piece of bytes."""
    if len(piece) == 1:
        return (ranks[piece],)
    return _scan(piece, ranks) if len(piece) <= _SHORT else _heap(piece, ranks)


def _scan(piece, ranks):
    get = ranks.get
    starts = list(range(len(piece) + 1))
    pairs = [get(piece[i:i + 2], _NEVER) for i in range(len(piece) - 1)]
    while pairs:
        best = min(pairs)
        if best == _NEVER:
            break
        at = pairs.index(best)
        del starts[at + 1], pairs[at]
        if at < len(pairs):
            pairs[at] = get(piece[starts[at]:starts[at + 2]], _NEVER)
        if at:
            pairs[at - 1] = get(piece[starts[at - 1]:starts[at + 1]], _NEVER)
    return tuple(ranks[piece[a:b]] for a, b in zip(starts, starts[1:]))


def _heap(piece, ranks):
    """The same for long pieces: the pairs wait in a heap, parts know their neighbours."""
    get, size = ranks.get, len(piece)
    after = list(range(1, size + 2))
    before = list(range(-1, size))
    pairs = [get(piece[i:i + 2], _NEVER) for i in range(size - 1)] + [_NEVER]
    heap = [(rank, start) for start, rank in enumerate(pairs) if rank != _NEVER]
    heapq.heapify(heap)
    while heap:
        rank, start = heapq.heappop(heap)
        if pairs[start] != rank:
            continue
        gone = after[start]
        end = after[start] = after[gone]
        pairs[gone] = _NEVER
        if end < size:
            before[end] = start
        for left in (start, before[start]):
            if left >= 0:
                middle = after[left]
                rank = get(piece[left:after[middle]], _NEVER) if middle < size else _NEVER
                pairs[left] = rank
                if rank != _NEVER:
                    heapq.heappush(heap, (rank, left))
    out, start = [], 0
    while start < size:
        out.append(ranks[piece[start:after[start]]])
        start = after[start]
    return tuple(out)
