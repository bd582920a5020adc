"""Mounts and a network of a check's own, which end with it."""

import ctypes
import os

NEW_MOUNTS, NEW_NETWORK, RECURSIVE, PRIVATE = 0x20000, 0x40000000, 0x4000, 0x40000


def separate(network=False):
    """Gives this process mounts of its own, and a network, before it starts threads. Returns why not, or None."""
    if os.geteuid() != 0:
        return "namespaces need root"
    library = ctypes.CDLL(None, use_errno=True)
    kinds = NEW_MOUNTS | (NEW_NETWORK if network else 0)
    if library.unshare(kinds) or library.mount(b"none", b"/", None, RECURSIVE | PRIVATE, None):
        return f"namespaces are not permitted: {os.strerror(ctypes.get_errno())}"
    return None
