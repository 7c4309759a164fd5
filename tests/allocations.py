"""Counting the memory that a call allocates."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable


def allocated(make: Callable[[], object]) -> int:
    """Return the bytes that a call allocates and that it or its result still hold.

    Other threads may allocate meanwhile, such as the one in which a test worker gets its orders, so
    only allocations below this function's frame count.
    """
    tracemalloc.start(50)
    try:
        kept = make()
        snapshot = tracemalloc.take_snapshot()
        del kept
    finally:
        tracemalloc.stop()
    ours = snapshot.filter_traces([tracemalloc.Filter(True, __file__, all_frames=True)])
    return sum(trace.size for trace in ours.traces)
