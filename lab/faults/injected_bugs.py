"""Bugs to inject into a server, which prove that the checker finds them."""

from __future__ import annotations

import asyncio
from typing import Any


def confirm_before_commit() -> None:
    """Confirm a move before it is in the database."""
    from noughts.service.play.scheduling import Writer

    write = Writer._write
    late: asyncio.Future[Any] | None = None

    async def confirm(self: Writer, changes: list[Any]) -> list[bool]:
        nonlocal late
        self._committed(changes)
        if late:
            await asyncio.shield(late)
        late = asyncio.create_task(write(self, changes))
        return [True] * len(changes)

    Writer._write = confirm  # type: ignore[method-assign]  # replaced on purpose


def apply_a_notification_twice() -> None:
    """Publish events from other servers twice."""
    from noughts.service.play.games import Games

    heard = Games.heard

    async def twice(self: Games, news: list[Any]) -> None:
        await heard(self, news)
        for event in news:
            if live := self._live.get(event.game):
                live.recent.append(live.encode(event))
                live.seq += 1
                self._subscriptions.wake(live.id)

    Games.heard = twice  # type: ignore[method-assign]  # replaced on purpose


def forget_keys() -> None:
    """Treat a request repeated under its key as a new one."""
    from noughts.service.play import decisions
    from noughts.service.play.api_errors import APIError
    from noughts.service.play.events import KINDS

    def is_repeated(state: Any, act: Any, *kinds: str, **_: Any) -> bool:
        if KINDS[kinds[0]].settles and not state.settled <= act.seq <= state.seq:
            raise APIError("stale", seq=state.seq)
        return False

    decisions._is_repeated = is_repeated


BUGS = [each.__name__ for each in (confirm_before_commit, apply_a_notification_twice, forget_keys)]
