"""Digests of bytes."""

from _sha2 import sha256, sha512

algorithms_available = algorithms_guaranteed = {"sha256", "sha512"}


def new(name, data=b"", *, usedforsecurity=True):
    if name not in algorithms_available:
        raise ValueError(f"unsupported hash type {name}")
    return (sha256 if name == "sha256" else sha512)(data)
