"""No client waits long for the computer because of another client."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from commands import SECONDS
from noughts.service.play.computer import LEAST, time_for
from noughts.service.play.scheduling import FairQueue
from service.serving import Seat, serving, speaking_to

# FairQueue


def taken(places: int, arrivals: str) -> str:
    """Return the order in which these clients get a place if each stays for one iteration."""

    async def play() -> str:
        turns, order = FairQueue(places), []

        async def stay(who: str) -> None:
            async with turns.turn(who):
                order.append(who)
                await asyncio.sleep(0)

        async with asyncio.TaskGroup() as group:
            for who in arrivals:
                group.create_task(stay(who))
        return "".join(order)

    return asyncio.run(play())


@pytest.mark.parametrize(
    ("places", "arrivals", "order"),
    [
        (1, "a", "a"),
        (1, "aaaa", "aaaa"),
        (1, "aaaab", "aabaa"),
        (1, "aaaabbc", "aabcaba"),
        (2, "aaaaaab", "aaabaaa"),
    ],
)
def test_fair_queue_gives_turns_to_clients(places: int, arrivals: str, order: str) -> None:
    assert taken(places, arrivals) == order


def test_fair_queue_reports_how_many_more_are_waiting() -> None:
    async def play() -> list[int]:
        turns, found = FairQueue(1), []

        async def stay() -> None:
            async with turns.turn("a") as waiting:
                await asyncio.sleep(0)
                found.append(waiting)

        await asyncio.gather(*(stay() for _ in range(4)))
        return found

    assert asyncio.run(play()) == [0, 2, 1, 0]


@pytest.mark.parametrize(
    ("seconds", "waited", "waiting", "thought"),
    [
        (1.0, 0.0, 0, 1.0),
        (1.0, 0.75, 0, 0.25),  # the rest of it
        (1.0, 5.0, 0, LEAST),
        (1.0, 0.0, 3, 0.25),  # shared
        (1.0, 0.9, 3, 0.1),
        (0.01, 0.0, 0, LEAST),
    ],
)
def test_thinking_time_counts_from_the_request(
    seconds: float, waited: float, waiting: int, thought: float
) -> None:
    assert time_for(seconds, waited, waiting) == pytest.approx(thought)


def test_fair_queue_keeps_places_of_cancelled_tasks() -> None:
    async def play() -> None:
        turns = FairQueue(1)

        async def stay() -> None:
            async with turns.turn("a"):
                await asyncio.sleep(0)

        for after in range(8):
            tasks = [asyncio.create_task(stay()) for _ in range(6)]
            for _ in range(after):
                await asyncio.sleep(0)
            for task in tasks[::2]:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        async with asyncio.timeout(SECONDS), turns.turn("b"):
            pass

    asyncio.run(play())


# The server


@pytest.mark.tier2("load")
def test_computer_is_not_starved_by_one_client(tmp_path: Path) -> None:
    with (
        serving(f"sqlite:///{tmp_path}/noughts.db", "--proxy=127.0.0.1") as server,
        ExitStack() as stack,
    ):

        def player(address: str) -> httpx.Client:
            headers = {"X-Forwarded-For": address}
            return stack.enter_context(speaking_to(server, headers=headers))

        def begun(client: httpx.Client, level: str, n: int, k: int, seat: int = 2) -> Seat:
            wish = {"shape": [n, n], "k": k, "opponent": "computer", "level": level, "seat": seat}
            made = client.post("/api/games", json=wish).json()
            return Seat(client, made["id"], made["token"])

        greedy, modest = player("203.0.113.1"), player("203.0.113.2")
        heavy = [begun(greedy, "strong", 60, 5, seat=1) for _ in range(30)]
        for seat in heavy:
            seat.move(30, 30)  # the computer needs no thought for the first move
        for seat in (begun(modest, "random", 3, 3), begun(modest, "strong", 15, 5)):
            with seat.events() as events:
                while next(events).data["seq"] < 1:
                    pass
        waiting = [seat for seat in heavy if seat.state()["seq"] == 1]
        assert len(waiting) > 10
