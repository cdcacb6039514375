"""Byte pair encoding as the models of OpenAI use it. The ranks are read from files beside the program."""

from .core import Encoding
from .model import encoding_for_model, encoding_name_for_model
from .registry import get_encoding, list_encoding_names

__version__ = "0.12.0"
__all__ = ["Encoding", "encoding_for_model", "encoding_name_for_model", "get_encoding", "list_encoding_names"]
