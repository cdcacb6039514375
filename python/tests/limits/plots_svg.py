"""What the pictures of plots are made of, and what is said where there is none."""

import math
import os
import re
import warnings

import matplotlib.pyplot as plt
import torch
from matplotlib import colors


def drawn(fig=None, **more):
    """The text of the current figure's picture; it is closed then."""
    fig = fig or plt.gcf()
    fig.savefig("drawn.svg", **more)
    plt.close(fig)
    with open("drawn.svg") as file:
        return file.read()


def counted(text):
    """How often each element is in a picture."""
    names = re.findall(r"<([a-zA-Z]+)", text)
    return {name: names.count(name) for name in sorted(set(names))}


def is_whole(text):
    """Whether every element that is opened is closed again, in order."""
    opened = []
    for closes, name, alone in re.findall(r"<(/?)([a-zA-Z]+)(?:\"[^\"]*\"|[^>\"])*?(/?)>", text):
        if closes:
            if not opened or opened.pop() != name:
                return False
        elif not alone:
            opened.append(name)
    return not opened


def error(make, *args, **more):
    try:
        make(*args, **more)
        print("no error")
    except Exception as raised:
        print(f"{type(raised).__name__}: {raised}")


plt.plot([1, 2, 3], [4, 1, 7], "r--o", label="a < b & \"c\"")
plt.title("<script>alert('&')</script>")
plt.xlabel(r"$\alpha^2 + \frac{x_1}{\sqrt{y}}$")
plt.legend()
text = drawn()
print(counted(text), is_whole(text))
print("<script" in text, "&lt;script&gt;" in text, "a &lt; b &amp; &quot;c&quot;" in text, "α" in text)
print(text[: text.index("<title>")])
print(re.search("<title>.*?</desc>", text)[0])
print(re.search("<style>.*?</style>", text)[0])
print(len(re.findall('class="b"', text)), 'clip-path="url(#c1)"' in text, "stroke-dasharray" in text,
      'stroke="#ff0000"' in text)

print("Light and dark")
for face in (None, "white", "black"):
    fig, ax = plt.subplots(facecolor=face)
    ax.plot([1, 2], "k")
    text = drawn(fig)
    print(face, len(re.findall('class="b"', text)), len(re.findall('class="t"', text)) > 0,
          'class="l" fill="none" stroke="#000000"' in text)
plt.imshow([[1, 2], [3, 4]])
plt.text(0, 0, "on colours", color="k")
print('class="t"' in drawn().partition("on colours")[0].rpartition("<text")[2])

print("Many points")
for values in (range(10), range(100_000), torch.arange(1_000_000).sin(), torch.arange(50_000) * 7919 % 1000):
    plt.plot(values)
    text = drawn()
    print(len(values), counted(text)["path"], len(text) < 120_000, text.count("L") < 8000)
plt.plot([math.sin(step) for step in range(30_000)], [math.cos(step * 1.1) for step in range(30_000)])
print(len(drawn()) < 2_000_000)
x = torch.arange(60_000) * 7919 % 9973 / 9973
plt.scatter(x, x.flip(0))
print(len(drawn()) < 2_500_000)
plt.plot([1, math.nan, 3, 4, math.inf, 5, 6])
print(drawn().count("M") > 1)

print("Pictures")
for rows, more in (
    (torch.arange(12).view(3, 4), {}), (torch.zeros(3, 4), {}), (torch.rand(100, 50), {}), (torch.rand(40, 40, 3), {}),
    (torch.rand(1000, 2000), {"cmap": "gray"}), (torch.rand(8, 8, 4), {}),
    (torch.rand(8, 8) > 2, {"interpolation": "bilinear"}),
):
    plt.imshow(rows, **more)
    text = drawn()
    found = counted(text)
    print(list(rows.shape), found.get("image", 0), found.get("rect"), "pixelated" in text, len(text) < 500_000,
          is_whole(text))
plt.imshow([[0, 1], [1, 0]], cmap="gray")
print(re.search('<g shape-rendering="crispEdges".*?</g>', drawn())[0])
plt.imsave("two.png", [[0.0, 1.0]], cmap="gray")
with open("two.png", "rb") as file:
    print(file.read().hex())
os.remove("two.png")

print("Kinds")
kinds = {
    "bar": lambda: plt.bar(["a", "b"], [1, 2]), "hist": lambda: plt.hist([1, 2, 2, 3]),
    "scatter": lambda: plt.scatter([1, 2], [1, 2], c=[0, 1]),
    "contour": lambda: plt.clabel(plt.contour([[0, 1, 2], [1, 2, 3], [2, 3, 9]])),
    "contourf": lambda: plt.contourf([[0, 1, 2], [1, 2, 3], [2, 3, 9]]),
    "pie": lambda: plt.pie([1, 2], labels=["p", "q"]), "errorbar": lambda: plt.errorbar([1, 2], [1, 2], yerr=0.1, capsize=2),
    "quiver": lambda: plt.quiver([0, 1], [0, 1], [1, 0], [0, 1]), "boxplot": lambda: plt.boxplot([1, 2, 3, 9]),
    "table": lambda: plt.table([["1", "2"]]),
    "colorbar": lambda: plt.colorbar(plt.imshow([[1, 2]])), "log": lambda: plt.loglog([1, 10], [1, 100]),
    "hexbin": lambda: plt.hexbin([1, 2, 3], [1, 2, 3], gridsize=4),
    "annotate": lambda: plt.annotate("there", (0.2, 0.2), (0.7, 0.7), arrowprops={"arrowstyle": "->"}),
    "violin": lambda: plt.violinplot([1, 2, 4]),
}
for name, make in kinds.items():
    make()
    text = drawn()
    print(name, is_whole(text), counted(text).get("path"), counted(text).get("text"))

print("Sizes")
fig = plt.figure(figsize=(3, 2))
print(re.search("viewBox=\"[^\"]*\"", drawn(fig))[0])
error(plt.figure(figsize=(1000, 1000)).savefig, "large.svg")
error(plt.figure(figsize=(10, 10)).savefig, "large.svg", dpi=7000)
plt.close("all")
plt.plot([1, 2])
print(re.search('viewBox="(-?[0-9.]+) (-?[0-9.]+)', drawn(bbox_inches="tight")).groups() != ("0", "0"))
plt.plot([1, 2])
print('class="b"' in drawn(transparent=True))

print("What is not here")
error(plt.figure().add_subplot, projection="3d")
plt.close("all")
error(plt.savefig, "figure.pdf")
error(plt.streamplot, [1], [1], [1], [1])
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    plt.plot([1, 2], sparkle=3)
    plt.plot([1, 2], sparkle=3)
    plt.bar([1], [2], glitter=True)
print([str(warning.message) for warning in said])
weight = torch.nn.Parameter(torch.ones(3))
error(plt.plot, weight)
error(plt.plot, [weight[0], weight[1]])
print(len(plt.plot(weight.detach())), colors.to_hex(plt.gca().lines[-1].get_color()))
plt.close("all")

print("Shown")
plt.plot([1, 2])
plt.show()
print(plt.get_fignums(), os.path.exists("figure-1.svg"))
plt.plot([1, 2])
plt.gcf().text(0.5, 0.5, "second")
plt.show()
os.remove("figure-1.svg")
os.remove("figure-2.svg")
os.remove("drawn.svg")
plt.show()
