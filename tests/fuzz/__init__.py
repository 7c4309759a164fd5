"""Input that nobody would write, made by Hypothesis: see script/fuzz.

A target is a strategy and a check. The check raises an error if what comes in leads to anything but
an answer or a refusal.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from hypothesis import strategies as st

Check = Callable[[Any], None]
Target = tuple[st.SearchStrategy[Any], Callable[[], AbstractContextManager[Check]]]


@st.composite
def damaged(draw: st.DrawFn, sound: st.SearchStrategy[bytes]) -> bytes:
    """Sound bytes with some of them changed, left out, doubled or put elsewhere."""
    data = bytearray(draw(sound))
    for _ in range(draw(st.integers(0, 4))):
        begin = draw(st.integers(0, len(data)))
        end = min(len(data), begin + draw(st.integers(0, 8)))
        change = draw(st.sampled_from(["set", "cut", "double", "end", "zero"]))
        if change == "set":
            data[begin:end] = draw(st.binary(max_size=8))
        elif change == "cut":
            del data[begin:end]
        elif change == "double":
            data[end:end] = data[begin:end]
        elif change == "end":
            del data[begin:]
        else:
            data[begin:end] = bytes(end - begin)
    return bytes(data)
