"""Concurrent questions share a batch, and a single question does not wait."""

from __future__ import annotations

import asyncio

import pytest

from noughts.service.play.scheduling import Batches
from service.virtual_time import run

TURNS = 5  # of the event loop, in which a question would start its own batch


@pytest.mark.parametrize("first", [["a"], ["a", "b"]])
def test_batch_of_several_is_followed_by_a_rest(first: list[str]) -> None:
    asked: list[list[str]] = []

    async def answers(questions: list[str]) -> list[str]:
        asked.append(questions)
        await asyncio.sleep(0.01)  # the rest is half as long
        return questions

    async def ask() -> None:
        batches = Batches(answers, 10)
        assert await asyncio.gather(*map(batches.ask, first)) == first
        later = [asyncio.create_task(batches.ask("c"))]
        for _ in range(TURNS):
            await asyncio.sleep(0)
        later.append(asyncio.create_task(batches.ask("d")))
        assert await asyncio.gather(*later) == ["c", "d"]
        await batches.close()

    run(ask())
    assert asked == ([["a"], ["c"], ["d"]] if len(first) == 1 else [first, ["c", "d"]])


def test_failing_batch_does_not_fail_the_next() -> None:
    async def answers(questions: list[int]) -> list[int | Exception]:
        if 0 in questions:
            raise ValueError("all")
        return [KeyError(number) if number % 2 else number for number in questions]

    async def ask() -> None:
        batches = Batches(answers, 2)
        found = await asyncio.gather(*map(batches.ask, range(6)), return_exceptions=True)
        assert [type(each) for each in found] == [
            *(ValueError, ValueError),
            *(int, KeyError),
            *(int, KeyError),
        ]

    run(ask())
