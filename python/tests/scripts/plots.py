"""Limits, ticks, colours, counts and places that plots have."""

import math
import warnings

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
from matplotlib import cm, colors, ticker
from matplotlib.patches import Circle, Patch, Polygon, Rectangle

warnings.simplefilter("ignore")


def plain(value):
    """Numbers that print alike wherever they come from."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, float):
        return float(f"{value:.6g}") + 0.0
    return value


def limits(name, ax):
    print(f"{name}: x {plain(ax.get_xlim())} y {plain(ax.get_ylim())}")


def ticks(name, ax):
    ax.figure.canvas.draw()
    for letter in "xy":
        low, high = sorted(getattr(ax, f"get_{letter}lim")())
        places = [place for place in plain(getattr(ax, f"get_{letter}ticks")()) if low <= place <= high]
        texts = [label.get_text() for label in getattr(ax, f"get_{letter}ticklabels")()]
        minor = [place for place in plain(getattr(ax, f"get_{letter}ticks")(minor=True)) if low <= place <= high]
        print(f"{name} {letter}: {places} {texts} minor {len(minor)} "
              f"{getattr(ax, f'{letter}axis').get_major_formatter().get_offset()!r}")


def new():
    plt.close("all")
    return plt.subplots()[1]


def error(make, *args, **more):
    try:
        make(*args, **more)
        print("no error")
    except Exception as raised:
        print(f"{type(raised).__name__}: {raised}")


print("Limits after data")
SETS = {
    "one": [3], "two": [1, 2], "equal": [5, 5, 5], "zero": [0, 0], "negative": [-3, -1, -2], "large": [1e9, 3e9],
    "small": [1e-9, 2e-9],
    "offset": [100000.1, 100000.2, 100000.3], "gap": [1, math.nan, 3, math.inf], "empty": [], "wide": [-1e-3, 1e6],
    "sine": [math.sin(step / 7) for step in range(100)], "bools": [True, False, True], "near": [0.999, 1.0, 1.001],
    "year": list(range(1990, 2024)), "squares": [step**2 for step in range(40)], "tiny": [1e-300, 1e-299],
}
for name, values in SETS.items():
    ax = new()
    ax.plot(values)
    limits(name, ax)
    ticks(name, ax)
    ax = new()
    ax.plot(values, [1] * len(values), "o")
    limits(f"{name} across", ax)
    ticks(f"{name} across", ax)

print("Scales")
for scale in ("log", "symlog", "linear"):
    for name, values in {"powers": [1, 10, 100, 1e5], "close": [2, 3, 4], "mixed": [-5, 0, 2000], "long": [1e-20, 1e15],
                         "five": [0.5, 40]}.items():
        ax = new()
        ax.plot([1, 2, 3, 4][: len(values)], values)
        ax.set_yscale(scale)
        limits(f"{scale} {name}", ax)
        ticks(f"{scale} {name}", ax)
ax = new()
ax.loglog([1, 10, 1000], [3, 5, 7], base=2)
ticks("base 2", ax)
ax = new()
ax.semilogx([1, 10, 1000], [3, 5, 7])
limits("semilogx", ax)

print("Kinds of plots")


def kinds():
    ax = new()
    ax.scatter([1, 2, 3], [4, 5, 9])
    yield "scatter", ax
    ax = new()
    ax.bar(["a", "b", "c"], [3, 5, 2])
    yield "bar", ax
    ax = new()
    ax.bar([1, 2, 3], [3, -5, 2], width=0.5, bottom=1)
    yield "bar below", ax
    ax = new()
    ax.barh([1, 2], [3, 4])
    yield "barh", ax
    ax = new()
    ax.hist([1, 2, 2, 3, 3, 3, 4.5], bins=5)
    yield "hist", ax
    ax = new()
    ax.hist([1, 2, 2, 3], histtype="step")
    yield "hist step", ax
    ax = new()
    ax.imshow([[1, 2, 3], [4, 5, 6]])
    yield "imshow", ax
    ax = new()
    ax.imshow([[1, 2, 3], [4, 5, 6]], extent=[0, 10, -1, 1], origin="lower", aspect="auto")
    yield "imshow extent", ax
    ax = new()
    ax.pcolormesh([[1, 2], [3, 4], [5, 6]])
    yield "pcolormesh", ax
    ax = new()
    ax.pcolormesh([1, 2], [1, 2, 4], [[1, 2], [3, 4], [5, 6]], shading="nearest")
    yield "pcolormesh nearest", ax
    ax = new()
    ax.fill_between([1, 2, 3], [1, 2, 1], [3, 4, 5])
    yield "fill_between", ax
    ax = new()
    ax.errorbar([1, 2, 3], [1, 2, 3], yerr=[0.1, 0.2, 0.3], xerr=0.5)
    yield "errorbar", ax
    ax = new()
    ax.stem([1, 2, 3], [2, 3, -1])
    yield "stem", ax
    ax = new()
    ax.plot([1, 2, 3])
    ax.axhline(10)
    ax.axvline(0.5)
    ax.axhspan(-2, -1)
    yield "lines across", ax
    ax = new()
    ax.hlines([1, 2], 0, [3, 4])
    ax.vlines(2, -1, 5)
    yield "hlines", ax
    ax = new()
    ax.contour([[0, 1, 2], [1, 2, 3], [2, 3, 5]])
    yield "contour", ax
    ax = new()
    ax.boxplot([[1, 2, 3, 10], [2, 3, 4]])
    yield "boxplot", ax
    ax = new()
    ax.stackplot([1, 2, 3], [1, 2, 3], [3, 2, 1])
    yield "stackplot", ax
    ax = new()
    ax.pie([1, 2, 3])
    yield "pie", ax
    ax = new()
    ax.add_patch(Circle((3, 3), 1))
    yield "patch without fit", ax
    ax.autoscale_view()
    yield "patch with fit", ax
    ax = new()
    ax.plot([1, 2])
    ax.margins(0.2)
    yield "margins", ax
    ax = new()
    ax.plot([1, 2], [3, 9])
    ax.axis("tight")
    yield "tight", ax
    ax = new()
    ax.plot([1, 2], [3, 9])
    ax.axis([0, 5, 1, 10])
    ax.invert_yaxis()
    yield "inverted", ax
    ax = new()
    ax.plot([1, 2], [3, 9])
    ax.axis("equal")
    ax.figure.canvas.draw()
    yield "equal", ax
    ax = new()
    ax.plot([1, 2], [3, 9])
    ax.axis("square")
    ax.figure.canvas.draw()
    yield "square", ax
    ax = new()
    ax.plot([1, 2, 3])
    ax.set_xticks([-1, 0, 5], ["a", "b", "c"], rotation=45)
    ax.set_ylim(bottom=0)
    yield "set ticks", ax
    ax = new()
    ax.plot([0, 1], [0, 1])
    ax.minorticks_on()
    ax.xaxis.set_major_locator(ticker.MultipleLocator(0.3))
    ax.yaxis.set_major_formatter(ticker.PercentFormatter(1.0))
    yield "locators", ax
    ax = new()
    ax.plot([0, 9], [0, 1.5])
    ax.xaxis.set_major_locator(ticker.MaxNLocator(4, integer=True))
    ax.yaxis.set_major_formatter("{x:.2f} m")
    yield "whole numbers", ax
    ax = new()
    ax.plot([1, 2], [1, 2])
    ax.twinx().plot([5, 7], [100, 200])
    yield "twin", ax


for name, ax in kinds():
    limits(name, ax)
    ticks(name, ax)

print("Shared limits")
fig, axes = plt.subplots(2, 2, sharex=True, sharey="row")
axes[0, 0].plot([1, 2, 3])
axes[1, 1].plot([5, 9], [7, 20])
print([plain(axes[row, column].get_xlim()) + plain(axes[row, column].get_ylim()) for row in (0, 1) for column in (0, 1)])
print(axes.shape, axes[0].shape, len(axes.ravel()), axes[:, 1].shape, [ax.get_title() for ax in axes.flat])

print("Colours")
ax = new()
for text in ("r", "g--", "C3:", "k.", "bo-", "m^", "--", "0.5", "#abc", "tab:pink", "c-.s", ":", "y|", "o", "rebeccapurple"):
    (line,) = ax.plot([1, 2], text)
    print(text, colors.to_hex(line.get_color()), line.get_linestyle(), line.get_marker())
print([colors.to_hex(line.get_color()) for line in new().plot([[step * part for part in range(12)] for step in range(3)])])
for colour in ("C12", "w", (1, 0, 0), (0, 0.5, 1, 0.25), "#12345678", "none", ("r", 0.5), "CornflowerBlue", "0.25"):
    print(colour, plain(list(map(float, colors.to_rgba(colour)))), plain(list(map(float, colors.to_rgba(colour, 0.3)))))
print(colors.to_hex((0.2, 0.4, 0.6, 0.8), keep_alpha=True), colors.is_color_like("nocolour"), colors.is_color_like("C1"))
MAPS = """
viridis:440154482475414487355f8d2a788e21918c22a88444bf707ad151bddf26fde725
plasma:0d088741049d6a00a88f0da4b12a90cc4778e16462f2844bfca636fcce25f0f921
inferno:000004160b39420a686a176e932667bc3754dd513af37819fca50af6d746fcffa4
magma:000004140e363b0f70641a808c2981b73779de4968f7705cfe9f6dfecf92fcfdbf
cividis:00224e08337035456c4f576c6669707d7c78948e77aea371c8b866e5cf52fee838
gray:0000001919193333334c4c4c666666808080999999b3b3b3cccccce6e6e6ffffff
Greys:fffffff3f3f3e2e2e2cececeb5b5b59595957a7a7a5f5f5f4040401d1d1d000000
Blues:f7fbffe3eef9d0e1f2b7d4ea94c4df6aaed64a98c92e7ebc1764ab084a9108306b
Reds:fff5f0fee5d8fdcab5fcab8ffc8a6afb694af14432d92523bc141a980c1367000d
Greens:f7fcf5e9f7e5d3eecdb8e3b298d59473c4764bb0622f974e157f3b00642800441b
Oranges:fff5ebfee9d4fdd9b4fdc38dfda762fd8c3bf3701be25508c541029e33037f2704
Purples:fcfbfdf2f0f7e2e2efcecfe5b6b6d89e9ac88683bd7262ac61409b4f1f8b3f007d
hot:0b00004c0000900000d20000ff1700ff5c00ff9d00ffe100ffff36ffff9dffffff
cool:00ffff19e6ff33ccff4cb3ff6699ff807fff9966ffb34cffcc33ffe619ffff00ff
coolwarm:3b4cc05977e37b9ff99ebeffc0d4f5dddcdcf2cbb7f7ac8eee8468d65244b40426
RdBu:67001fb1182bd6604df3a481fddbc7f6f7f7d1e5f090c4dd4393c32065ab053061
RdYlGn:a50026d62f27f46d43fdad60fee08bfeffbed9ef8ba5d86a66bd63199750006837
bwr:0000ff3232ff6666ff9898ffccccfffffefeffccccff9898ff6666ff3232ff0000
seismic:00004c0000920000db3131ff9999fffffdfdff9999ff3131e60000b20000800000
jet:0000800000f1004cff00b0ff29ffce7dff7aceff29ffc400ff6800f10800800000
rainbow:8000ff4e4dfc1996f318cde44df3ce80ffb4b2f396e6cd73ff964fff4d27ff0000
Spectral:9e0142d43d4ff46d43fdad60fee08bffffbee6f598aadca466c2a53387bc5e4fa2
YlOrRd:ffffccfff1a9fee187feca66feab49fd8c3cfc5b2eed2e21d41020b00026800026
YlGnBu:ffffd9f1fabad6efb3abdeb773c8bd40b5c42498c12072b1234da01f2f87081d58
tab10:1f77b4ff7f0e2ca02cd627289467bd8c564be377c27f7f7fbcbd2217becf17becf
tab20:1f77b4ff7f0e2ca02cd627289467bd8c564be377c27f7f7fbcbd2217becf9edae5
Set1:e41a1ce41a1c377eb84daf4a984ea3ff7f00ffff33a65628f781bf999999999999
Set2:66c2a566c2a5fc8d628da0cbe78ac3a6d854a6d854ffd92fe5c494b3b3b3b3b3b3
Set3:8dd3c7ffffb3bebadafb807280b1d3b3de69fccde5d9d9d9bc80bdccebc5ffed6f
Pastel1:fbb4aefbb4aeb3cde3ccebc5decbe4fed9a6ffffcce5d8bdfddaecf2f2f2f2f2f2
Paired:a6cee31f78b4b2df8a33a02cfb9a99fdbf6fff7f00cab2d66a3d9affff99b15928
twilight:e2d9e2a6bfca6d90c05f58b0531e7c2f143664194b9f3c50c0755ed0b39ee2d9e2
hsv:ff0000ff9400d1ff003dff0000ff5c00fff60074ff2500ffb900ffff00acff0018
terrain:3333991276dc00b2b231d67099eb85fefe98ccbe7d987b61997c76cdbfbcffffff
binary:ffffffe6e6e6ccccccb3b3b39999997f7f7f6666664c4c4c333333191919000000
bone:00000016161e2d2d3e42425d595c79707b90869aa69db9bcb9d2d2dde9e9ffffff
copper:0000001f140c3f28195e3b267e50339e6440bd784cdd8c59fc9f65ffb472ffc77f
spring:ff00ffff19e6ff33ccff4cb3ff6699ff807fff9966ffb34cffcc33ffe619ffff00
winter:0000ff0019f20033e6004cd90066cc0080bf0099b200b3a600cc9900e68c00ff80
PuOr:7f3b08b25706e08214fcb761fee0b6f6f6f7d8daebb1aad18073ac5326872d004b
PiYG:8e0152c41a7cde77aef1b5d9fde0eff7f7f6e6f5d0b7e0857fbc414c9121276419
OrRd:fff7ecfeebd0fddcaffdca94fdb27bfc8c59f26d4be0442fc91d13a800007f0000
RdYlBu:a50026d62f27f46d43fdad60fee090feffc0e0f3f8aad8e974add14574b3313695
gnuplot:0000005000937202f38b07f3a11096b52000c63700d65800e48300f2bb00ffff00
turbo:30123b4559cb3e9bfe19d5cd46f884a4fc3ce1dd37fea431f05b12c325037a0403
viridis_r:fde725bddf267ad15144bf7022a88421908d2a788e355f8d414487482475440154
Blues_r:08306b084a911764ab2e7ebc4a98c96caed694c4dfb7d4ead0e1f2e3eef9f7fbff
tab10_r:17becfbcbd227f7f7fe377c28c564b9467bdd627282ca02cff7f0e1f77b41f77b4
"""
for entry in MAPS.split():
    name, _, codes = entry.partition(":")
    known = [int(codes[at : at + 2], 16) for at in range(0, len(codes), 2)]
    ours = [part * 255 for step in range(11) for part in plt.get_cmap(name)(step / 10)[:3]]
    print(name, max(abs(mine - theirs) for mine, theirs in zip(ours, known)) <= 2)
print(plain(cm.viridis([0.0, 0.5, 1.0]))[1][3], plt.get_cmap("viridis", 5).N, plain(plt.get_cmap("tab10")(3)))
two = colors.LinearSegmentedColormap.from_list("two", ["red", "blue"], N=5)
print([plain(two(step)) for step in range(5)], plain(two(-1.0)), plain(two(2.0)))
few = colors.ListedColormap(["r", "g", "b"])
print([plain(few(part)) for part in (0.0, 0.4, 0.99, 1.0)], few.N)
print(plain(colors.Normalize(2, 4)([1, 2, 3, 4])), plain(colors.LogNorm(1, 100)([1, 10, 100])),
      plain(colors.BoundaryNorm([0, 1, 5], 2)([0, 0.5, 3])))

print("Histograms")
data = [step * 7919 % 1000 / 100 for step in range(500)]
for more in ({}, {"bins": 4}, {"bins": [0, 1, 5, 10]}, {"range": (2, 4)}, {"density": True}, {"cumulative": True},
             {"bins": "auto"}, {"bins": 3, "weights": [0.5] * 500},
             {"bins": "sturges"}, {"bins": "fd"}, {"bins": "sqrt"}, {"bins": 5, "density": True, "cumulative": -1}):
    counts, edges, patches = new().hist(data, **more)
    print(plain(counts), plain(edges), len(patches))
counts, edges, patches = new().hist([[1, 2, 3], [2, 3, 4, 4]], bins=3, stacked=True, label=["a", "b"])
print(plain(counts), plain(edges), [len(part) for part in patches])
counts, across, up, _ = new().hist2d([1, 2, 2, 3], [1, 1, 2, 2], bins=[2, 3])
print(plain(counts), plain(across), plain(up))

print("Bars and legends")
ax = new()
bars = ax.bar(["x", "y"], [3, 4], width=0.6, label="bars", color=["r", "#00ff00"], yerr=[0.1, 0.2])
print([plain((bar.get_x(), bar.get_y(), bar.get_width(), bar.get_height())) for bar in bars],
      [plain(bar.get_facecolor()) for bar in bars])
print([text.get_text() for text in ax.bar_label(bars, fmt="%.1f")])
for part in ax.hist([[1, 2], [2, 3]], bins=2)[2]:
    print([plain((bar.get_x(), bar.get_width(), bar.get_height())) for bar in part])
ax.plot([1, 2], label="line")
ax.scatter([1], [2], label="points")
ax.fill_between([0, 1], [1, 2], label="area")
ax.plot([3, 4], label="_hidden")
legend = ax.legend(title="all")
print([text.get_text() for text in legend.get_texts()], legend.get_title().get_text(), ax.get_legend_handles_labels()[1])
print([text.get_text() for text in ax.legend(["one", "two"]).get_texts()],
      [text.get_text() for text in ax.legend(handles=[Patch(label="p")]).get_texts()])
wedges, texts, numbers = new().pie([1, 3], labels=["a", "b"], autopct="%.0f%%")
print([text.get_text() for text in texts + numbers], [plain((wedge.theta1, wedge.theta2)) for wedge in wedges],
      plain(texts[0].get_position()))
found = new().contour([[0, 1, 2], [1, 2, 3], [2, 3, 5]]), new().contourf([[0, 1, 2], [1, 2, 3], [2, 3, 50]],
                                                                         4), new().contour([[0, 1], [1, 9]], levels=[2, 3])
print([plain(part.levels) for part in found])

print("Places")


def place(ax):
    return plain(list(ax.get_position().bounds))


plt.close("all")
fig = plt.figure(figsize=(8, 6), dpi=50)
print(plain(fig.get_size_inches()), fig.dpi, place(fig.add_subplot(111)), place(fig.add_subplot(2, 3, 4)),
      place(fig.add_subplot(2, 2, (1, 3))))
fig, axes = plt.subplots(2, 3)
print([place(ax) for ax in axes.flat][:4])
fig.subplots_adjust(left=0.05, right=0.95, wspace=0.5, hspace=0.1)
print([place(ax) for ax in axes.flat][3:])
grid = plt.figure().add_gridspec(2, 2, width_ratios=[1, 3], height_ratios=[2, 1])
print(place(plt.gcf().add_subplot(grid[0, :])), place(plt.gcf().add_subplot(grid[1, 1])))
print(place(plt.subplot2grid((3, 3), (1, 0), colspan=2, rowspan=2)), place(plt.axes([0.1, 0.2, 0.3, 0.4])))
fig, parts = plt.subplot_mosaic("AAB;CCB")
print({name: place(ax) for name, ax in parts.items()})
fig, ax = plt.subplots()
image = ax.imshow([[1, 2], [3, 4]])
bar = fig.colorbar(image, label="value")
fig.canvas.draw()
print(place(ax), place(bar.ax), plain(bar.ax.get_ylim()), bar.ax.get_ylabel(), len(fig.axes))
ax = new()
ax.imshow([[1] * 8] * 2)
ax.figure.canvas.draw()
print(place(ax), ax.get_aspect())

print("What is asked for")
ax = new()
(line,) = ax.plot([1, 2, 3], [4, 5, 6], lw=3, ls="--", marker="s", ms=4, alpha=0.5, label="L", mfc="r")
print(line.get_linewidth(), line.get_linestyle(), line.get_marker(), line.get_markersize(), line.get_alpha(),
      line.get_label(), line.get_markerfacecolor())
print(plain(line.get_xdata()), plain(line.get_ydata()), len(ax.lines), len(ax.get_lines()), len(ax.patches), ax.get_xscale())
line.set_data([0, 10], [0, 20])
ax.relim()
ax.autoscale_view()
limits("set_data", ax)
ax.set(title="T", xlabel="X", ylabel="Y", xlim=(0, 4), yscale="log")
print(ax.get_title(), ax.get_xlabel(), ax.get_ylabel(), plain(ax.get_xlim()), ax.get_yscale())
line.remove()
print(len(ax.lines), ax.has_data(), plt.gca() is ax, plt.gcf() is ax.figure, plt.get_fignums())
plt.xlim(2, 8)
plt.ylim(1, 3)
print(plain(plt.xlim()), plain(plt.ylim()), plain(plt.axis()))
_, texts = plt.xticks([3, 4], ["three", "four"])
print([text.get_text() for text in texts])
print(plt.figure(7).number, plt.fignum_exists(7), plt.gcf().get_axes(), repr(plt.figure(figsize=(4, 3))))
print(Rectangle((1, 2), 3, 4).get_xy(), Circle((0, 0), 2).get_radius(),
      plain(Polygon([[0, 0], [1, 0], [1, 1]]).get_xy())[:2])
print(plt.rcParams["lines.linewidth"], plt.rcParams["figure.figsize"], plt.rcParams["font.size"])
with plt.style.context("ggplot"):
    print(plt.rcParams["axes.facecolor"].lower().strip("#"), plt.rcParams["axes.grid"])
plt.rc("lines", linewidth=4)
print(new().plot([1, 2])[0].get_linewidth())
plt.rcdefaults()

print("Errors")
ax = new()
error(ax.plot, [1, 2, 3], [1, 2, 3, 4])
error(ax.plot, [1, 2], "zz")
error(ax.plot, [1, 2], color="nocolour")
error(ax.plot, [1, 2], ls="what")
error(ax.scatter, [1, 2], [1])
error(ax.scatter, [1, 2], [1, 2], c=[1, 2, 3])
error(ax.bar, [1, 2, 3], [1, 2])
error(ax.hist, [1, 2], bins=[3, 1])
error(ax.hist, [1, 2], weights=[1])
error(ax.imshow, [1, 2, 3])
error(ax.fill_between, [1, 2], [1, 2], where=[True])
error(ax.errorbar, [1], [1], yerr=-1)
error(ax.set_xlim, math.nan, 1)
ax.set_xticks([1, 2, 3])
error(ax.set_xticklabels, ["a"])
error(ax.axis, "nothing")
error(ax.pie, [-1, 2])
error(plt.subplot, 2, 2, 5)
error(plt.subplots_adjust, left=0.9, right=0.1)
error(plt.style.use, "no-such-style")
error(colors.to_rgba, "nocolour")
error(colors.to_rgba, (1, 2, 3))
error(plt.colorbar)
error(ax.contour, [1, 2])
