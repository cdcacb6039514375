"""The module that lectures of several courses are written with: what they tell their reader is drawn here.

Signatures are those of the package of this name; what it downloads is not: an address stays an address.
"""

from . import execute_util
from .execute_util import (
    graph,
    image,
    link,
    make_graph,
    note,
    plot,
    system_text,
    text,
    url_reference,
    video,
)
from .reference import Reference

__all__ = [name for name in execute_util.__all__ if name in globals()]
