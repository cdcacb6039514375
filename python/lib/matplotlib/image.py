"""Pictures: rows of numbers or of colours, and files of them."""

import zlib
from binascii import b2a_base64

from matplotlib import _data, rcParams
from matplotlib.artist import Artist
from matplotlib.cm import ScalarMappable
from matplotlib.colors import to_rgba

# A larger picture is drawn with every so manieth pixel, and one as small as this of rectangles.
_LARGEST, _SMALLEST = 512, 32
_CLEAR = {"nearest", "none", "auto", "antialiased", None}


def png(rows, width, kind, palette=b"", opacities=b""):
    """A PNG file of rows of bytes, stored as they are: kind 3 has a palette, 2 has colours, 6 has opacities too."""
    raw = b"".join([b"\0" + row for row in rows])
    stored = zlib.compress(raw, 0)

    def chunk(name, data):
        return len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")

    head = width.to_bytes(4, "big") + len(rows).to_bytes(4, "big") + bytes([8, kind, 0, 0, 0])
    parts = [chunk(b"IHDR", head)]
    if palette:
        parts.append(chunk(b"PLTE", palette))
        if opacities.strip(b"\xff"):
            parts.append(chunk(b"tRNS", opacities))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts) + chunk(b"IDAT", stored) + chunk(b"IEND", b"")


def is_even(edges):
    """Whether places are at equal distances."""
    step = (edges[-1] - edges[0]) / (len(edges) - 1)
    return all(abs(edges[0] + step * place - edge) < 0.05 for place, edge in enumerate(edges))


def _thinned(rows, limit=_LARGEST):
    """Rows with so few pixels that the picture is not large."""
    down, across = -(-len(rows) // limit), -(-len(rows[0]) // limit)
    return [row[across // 2 :: across] for row in rows[down // 2 :: down]] if down > 1 or across > 1 else rows


def _byte(part):
    return min(max(round(part * 255), 0), 255)


def _places(mappable, row):
    """The number of the palette's colour of each number in a row."""
    count = len(mappable.cmap._table)
    size = count * (1 - 1e-12)
    places = mappable.norm.places(row)
    try:
        found = bytes(places if isinstance(places[0], int) else [int(place * size) for place in places])
        if max(found) < count:
            return found
    except (ValueError, OverflowError):
        pass
    # What is below or above the limits, or is no number, has a place behind the others.
    found = []
    for place in places:
        if place != place:
            found.append(count + 2)
        elif isinstance(place, int) and not isinstance(place, bool):
            found.append(count if place < 0 else count + 1 if place >= count else place)
        else:
            found.append(count if place < 0 else count + 1 if place > 1 else int(place * size))
    return found


def _palette(mappable, alpha):
    """The colours of a map, then those below, above and of no number."""
    cmap = mappable.cmap
    table = list(cmap._table)
    table += [cmap._under or table[0], cmap._over or table[-1], cmap._bad]
    if alpha is not None:
        table = [(*colour[:3], alpha if colour[3] else 0.0) for colour in table]
    return table


def draw_cells(canvas, mappable, rows, xs, ys, even, clip, alpha=None, smooth=False):
    """Draws cells between edges in points, with the first row between the first two of `ys`."""
    if even:
        rows = _thinned(rows)
    table = _palette(mappable, alpha)
    places = [_places(mappable, row) for row in rows]
    if even and (len(rows) > _SMALLEST or len(rows[0]) > _SMALLEST or smooth):
        if len(table) > 256:
            squeeze = [place * 252 // (len(table) - 4) for place in range(len(table) - 3)] + [253, 254, 255]
            places = [bytes([squeeze[place] for place in row]) for row in places]
            table = [table[place * (len(table) - 4) // 252] for place in range(253)] + table[-3:]
        palette = b"".join(bytes(map(_byte, colour[:3])) for colour in table)
        opacities = bytes([_byte(colour[3]) for colour in table])
        _draw_png(canvas, [bytes(row) for row in places], len(rows[0]), 3, xs, ys, clip, smooth, palette, opacities)
        return
    _draw_rects(canvas, [[table[place] for place in row] for row in places], xs, ys, clip)


def _edges(values, count):
    return (
        values if len(values) == count + 1
        else [values[0] + (values[-1] - values[0]) * place / count for place in range(count + 1)]
    )


def _draw_rects(canvas, rows, xs, ys, clip):
    """Small pictures: a rectangle for what has one colour in a row."""
    xs, ys = _edges(xs, len(rows[0])), _edges(ys, len(rows))
    high, paths = canvas.height, {}
    for row, low, top in zip(rows, ys, ys[1:]):
        start = 0
        for end in range(1, len(row) + 1):
            if end == len(row) or row[end] != row[start]:
                left, right = xs[start], xs[end]
                path = f"M{left:.2f} {high - low:.2f}H{right:.2f}V{high - top:.2f}H{left:.2f}z"
                paths.setdefault(row[start], []).append(path)
                start = end
    canvas.parts.append(f'<g shape-rendering="crispEdges"{clip}>')
    for colour, parts in paths.items():
        if colour[3]:
            canvas.path("".join(parts), canvas.paint(colour))
    canvas.parts.append("</g>")


def _draw_png(canvas, rows, width, kind, xs, ys, clip, smooth, palette=b"", opacities=b""):
    size = {3: 1, 2: 3, 6: 4}[kind]
    if ys[0] < ys[-1]:
        rows = rows[::-1]
    if xs[0] > xs[-1]:
        rows = [b"".join([row[at : at + size] for at in range(len(row) - size, -1, -size)]) for row in rows]
    left, right = sorted((xs[0], xs[-1]))
    low, high = sorted((ys[0], ys[-1]))
    look = "" if smooth else ' style="image-rendering:pixelated"'
    address = "data:image/png;base64," + b2a_base64(png(rows, width, kind, palette, opacities), newline=False).decode()
    canvas.parts.append(
        f'<image x="{left:.2f}" y="{canvas.height - high:.2f}" width="{right - left:.2f}" height="{high - low:.2f}" '
        f'preserveAspectRatio="none"{look}{clip} href="{address}"/>'
    )


def _whole(A):
    """Large rows of colours as whole numbers, where a tensor can make these quickly; else what they were."""
    tensor = getattr(A, "_tensor", A)
    if not hasattr(tensor, "is_floating_point") or tensor.dim() != 3 or tensor.numel() < 3 * 64 * 64 or tensor.requires_grad:
        return A
    if not tensor.is_floating_point() or bool((tensor != tensor).any()):
        return A
    return (tensor.clamp(0, 1) * 255).round().int()


class AxesImage(Artist, ScalarMappable):
    zorder = 0
    _ALIASES = {}
    _DEFAULTS = {"interpolation": None, "filternorm": True, "filterrad": 4.0, "resample": None, "interpolation_stage": None}

    def __init__(self, data, *, extent=None, origin=None, norm=None, cmap=None, where="imshow", **properties):
        Artist.__init__(self)
        ScalarMappable.__init__(self, norm, cmap)
        self.origin = rcParams["image.origin"] if origin is None else origin
        if self.origin not in ("upper", "lower"):
            raise ValueError(f"{self.origin!r} is not a valid value for origin; supported values are 'upper', 'lower'")
        self._extent = None if extent is None else [float(_data.plain(edge)) for edge in extent]
        self.set_data(data)
        self._given(properties, where)

    def set_data(self, A):
        """Takes rows of numbers, or of colours."""
        if hasattr(A, "convert") and hasattr(A, "getdata") and hasattr(A, "size"):
            wide, _ = A.size
            pixels = [list(pixel) if isinstance(pixel, tuple) else pixel for pixel in A.getdata()]
            A = [pixels[at : at + wide] for at in range(0, len(pixels), wide)]
        rows = _data.plain(_whole(A))
        shape = _data.shape(rows)
        if len(shape) == 3 and shape[2] == 1:
            rows = [[pixel[0] for pixel in row] for row in rows]
            shape = shape[:2]
        if len(shape) not in (2, 3) or len(shape) == 3 and shape[2] not in (3, 4):
            raise TypeError(f"Invalid shape {shape} for image data")
        if _data.has_text(rows[0]):
            raise TypeError("Image data of dtype <U1 cannot be converted to float")
        self._rows, self._shape = rows, shape
        self._values = [value for row in rows for value in row] if len(shape) == 2 else None

    set_array = set_data

    def get_array(self):
        return _data.array(self._rows)

    def get_size(self):
        return self._shape[:2]

    def get_shape(self):
        return self._shape

    def get_extent(self):
        if self._extent is not None:
            return self._extent
        down, across = self._shape[:2]
        return [-0.5, across - 0.5, *((down - 0.5, -0.5) if self.origin == "upper" else (-0.5, down - 0.5))]

    def set_extent(self, extent, **_more):
        self._extent = [float(edge) for edge in extent]
        self.axes._take_extent(self)

    def extent(self):
        left, right, bottom, top = self.get_extent()
        return [left, right], [bottom, top]

    def stickies(self):
        left, right, bottom, top = self.get_extent()
        return (left, right), (bottom, top)

    def draw_on(self, canvas):
        left, right, bottom, top = self.get_extent()
        xs, ys = self.get_transform().points([left, right], [bottom, top])
        if self.origin == "upper":
            ys = ys[::-1]
        clip, alpha = self._clip_of(canvas), self._p["alpha"]
        smooth = self._p["interpolation"] not in _CLEAR
        if self._values is not None:
            self.norm.autoscale_None(self._values)
            if isinstance(_data.plain(alpha), list):
                return self._draw_veiled(canvas, xs, ys, clip, smooth, _data.plain(alpha))
            draw_cells(canvas, self, self._rows, xs, ys, True, clip, alpha, smooth)
            return None
        rows = _thinned(self._rows)
        sample = next((part for row in rows for part in row[0] if part), 0)
        whole = isinstance(sample, int) and not isinstance(sample, bool)
        if len(rows) <= _SMALLEST and len(rows[0]) <= _SMALLEST and not smooth:
            size = 255 if whole else 1
            opaque = 1.0 if alpha is None else alpha

            def colour(pixel):
                parts = [min(max(part / size, 0.0), 1.0) for part in pixel]
                return (*parts[:3], (parts[3] if len(parts) == 4 else 1.0) * opaque)

            return _draw_rects(canvas, [[colour(pixel) for pixel in row] for row in rows], xs, ys, clip)
        kind, made = 6 if len(rows[0][0]) == 4 else 2, []
        for row in rows:
            parts = [part for pixel in row for part in pixel]
            try:
                made.append(bytes(parts) if whole else bytes([int(part * 255 + 0.5) for part in parts]))
            except ValueError:
                size = 1 if whole else 255
                made.append(bytes([min(max(int(part * size + 0.5), 0), 255) if part == part else 0 for part in parts]))
        if alpha is not None:
            clip += f' opacity="{alpha:.3g}"'
        return _draw_png(canvas, made, len(rows[0]), kind, xs, ys, clip, smooth)

    def _draw_veiled(self, canvas, xs, ys, clip, smooth, alphas):
        """A picture with an opacity of its own for each number."""
        rows = []
        for row, veil in zip(_thinned(self._rows), _thinned(alphas)):
            colours = [self.cmap.colour(place) for place in self.norm.places(row)]
            rows.append(b"".join(bytes(map(_byte, (*colour[:3], part))) for colour, part in zip(colours, veil)))
        _draw_png(canvas, rows, len(rows[0]) // 4, 6, xs, ys, clip, smooth)

    def data_rows(self):
        return None


def imread(fname, format=None):
    raise NotImplementedError("imread() is not here: nothing in this package reads compressed pictures.")


def imsave(fname, arr, *, vmin=None, vmax=None, cmap=None, format=None, origin="upper", dpi=100, **_more):
    """Writes rows of numbers or of colours as a PNG file."""
    image = AxesImage(arr, cmap=cmap, origin=origin)
    image.set_clim(vmin, vmax)
    rows = image._rows if origin == "upper" else image._rows[::-1]
    if image._values is not None:
        image.norm.autoscale_None(image._values)
        rows = [[image.cmap.colour(place) for place in image.norm.places(row)] for row in rows]
    elif isinstance(rows[0][0][0], int):
        rows = [[[part / 255 for part in pixel] for pixel in row] for row in rows]
    made = [b"".join(bytes(map(_byte, to_rgba(pixel))) for pixel in row) for row in rows]
    data = png(made, len(rows[0]), 6)
    if hasattr(fname, "write"):
        fname.write(data)
    else:
        with open(fname, "wb") as file:
            file.write(data)
