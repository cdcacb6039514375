"""Everything of `pyplot` under one name."""

from matplotlib.pyplot import *  # noqa: F403
