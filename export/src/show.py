# What the page draws itself is drawn here with matplotlib.
import math

import matplotlib.pyplot as plt


class show:
    def plot(series, x=None, title="", xlabel="", ylabel="", log=""):
        for name, values in series.items():
            values = values.tolist() if hasattr(values, "tolist") else list(values)
            if all(isinstance(value, (tuple, list)) for value in values):
                plt.plot(*zip(*values), label=name)
            else:
                plt.plot(range(len(values)) if x is None else x, values, label=name)
        plt.xscale("log" if "x" in log else "linear")
        plt.yscale("log" if "y" in log else "linear")
        plt.title(title)
        plt.xlabel(xlabel)
        plt.ylabel(ylabel)
        plt.legend()
        plt.show()

    def histogram(tensor, title=""):
        plt.hist([value for value in tensor.flatten().tolist() if math.isfinite(value)], bins=40)
        plt.title(title)
        plt.show()

    def heat(tensor):
        rows = tensor.float().tolist()
        plt.imshow(rows if tensor.dim() == 2 else [rows] if tensor.dim() else [[rows]])
        plt.colorbar()
        plt.show()

    def table(rows, columns):
        rows = [[str(cell) for cell in row] for row in [columns, *rows]]
        widths = [max(map(len, column)) for column in zip(*rows)]
        for row in rows:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
