"""Gives every node of a graph a place: in layers along the edges, each layer ordered so that few edges cross."""


def layers(names, edges, same):
    """The layer of every node by the longest path to it; edges that close a circle count the other way round."""
    after = {name: [] for name in names}
    for tail, head in edges:
        if tail != head:
            after[tail].append(head)
    state, forward = {}, []
    for root in names:
        stack = [(root, iter(after[root]))] if root not in state else []
        state.setdefault(root, 1)
        while stack:
            name, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                state[name] = 2
                stack.pop()
                continue
            forward.append((following, name) if state.get(following) == 1 else (name, following))
            if following not in state:
                state[following] = 1
                stack.append((following, iter(after[following])))
    rank = {name: 0 for name in names}
    for _ in range(len(names) + 1):
        moved = False
        for tail, head in forward:
            if rank[head] <= rank[tail] and not any(tail in group and head in group for group in same):
                rank[head], moved = rank[tail] + 1, True
        for group in same:
            level = max(rank[name] for name in group)
            moved = moved or any(rank[name] != level for name in group)
            rank.update((name, level) for name in group)
        if not moved:
            break
    heads = {head for _, head in forward}
    fixed = {name for group in same for name in group}
    for name in names:
        following = [head for tail, head in forward if tail == name]
        if following and name not in heads and name not in fixed:
            rank[name] = min(rank[head] for head in following) - 1
    return rank


def ordered(rows, joined, group_of):
    """The same layers, each sorted by where its neighbours stand; nodes of a group stay side by side."""
    place = {}

    def note(row):
        for at, name in enumerate(row):
            place[name] = (at + 0.5) / len(row)

    for row in rows:
        note(row)
    best, fewest = [list(row) for row in rows], _crossings(rows, joined)
    for sweep in range(16):
        down = sweep % 2 == 0
        for level in range(len(rows)) if down else range(len(rows) - 1, -1, -1):
            row = rows[level]
            means = {}
            for name in row:
                near = [place[other] for other in joined[name][0 if down else 1]]
                means[name] = sum(near) / len(near) if near else place[name]
            groups = {}
            for name in row:
                groups.setdefault(group_of.get(name, name), []).append(means[name])
            row.sort(key=lambda name: (sum(groups[group_of.get(name, name)]) / len(groups[group_of.get(name, name)]),
                                       str(group_of.get(name, "")), means[name]))
            note(row)
        crossed = _crossings(rows, joined)
        if crossed < fewest:
            best, fewest = [list(row) for row in rows], crossed
    return best


def _crossings(rows, joined):
    count = 0
    for row, following in zip(rows, rows[1:]):
        place = {name: at for at, name in enumerate(following)}
        ends = [at for name in row for at in sorted(place[other] for other in joined[name][1] if other in place)]
        count += sum(ends[i] > ends[j] for i in range(len(ends)) for j in range(i + 1, len(ends)))
    return count


def placed(rows, joined, size, gap):
    """The middle of every node across its layer: near the mean of its neighbours, without touching the next."""
    at = {}
    for row in rows:
        left = 0
        for name in row:
            at[name] = left + size[name] / 2
            left += size[name] + gap
    for sweep in range(24):
        for row in rows if sweep % 2 == 0 else rows[::-1]:
            wanted = []
            for name in row:
                near = joined[name][0] + joined[name][1] if sweep > 7 else joined[name][sweep % 2]
                wanted.append(sum(at[other] for other in near) / len(near) if near else at[name])
            _spread(row, wanted, at, size, gap)
    return at


def _spread(row, wanted, at, size, gap):
    """Puts a layer as near to the places wanted as its widths allow: neighbours that collide share their mean."""
    offsets, offset = [], 0
    for here, name in enumerate(row):
        if here:
            offset += (size[row[here - 1]] + size[name]) / 2 + gap
        offsets.append(offset)
    blocks = []
    for want, offset in zip(wanted, offsets):
        blocks.append([want - offset, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            mean, count = blocks.pop()
            other = blocks[-1]
            other[0] = (other[0] * other[1] + mean * count) / (other[1] + count)
            other[1] += count
    free = [mean for mean, count in blocks for _ in range(count)]
    for name, base, offset in zip(row, free, offsets):
        at[name] = base + offset


def apart(rows, at, size, group_of, gap):
    """Moves groups to the right, and what stands right of them, until none lies over another."""
    members = {}
    for name, group in group_of.items():
        members.setdefault(group, []).append(name)
    levels = {group: {level for level, row in enumerate(rows) for name in row if group_of.get(name) == group}
              for group in members}
    done = []
    for group in sorted(members, key=lambda group: sum(at[name] for name in members[group]) / len(members[group])):
        left = min(at[name] - size[name] / 2 for name in members[group])
        span = range(min(levels[group]), max(levels[group]) + 1)
        free = max((edge + gap for edge, other in done if span.start < other.stop and other.start < span.stop),
                   default=left)
        if free > left:
            for row in rows:
                first = next((here for here, name in enumerate(row) if group_of.get(name) == group), len(row))
                for name in row[first:]:
                    at[name] += free - left
        done.append((max(at[name] + size[name] / 2 for name in members[group]), span))
