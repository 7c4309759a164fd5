"""Groups: what many ask of the store at about the same time is asked at once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

REST = 0.02  # seconds after a group, at most

Question = TypeVar("Question")
Answer = TypeVar("Answer")


class Groups(Generic[Question, Answer]):
    """Asks a group of at most `most` questions at a time: those that come meanwhile share the next.

    `answers` are in the order of the questions. One that is an exception is raised where its
    question was asked; an exception of `answers` itself is raised to the whole group.

    After a group of several it rests for half of the time that took, so that more share the next:
    with 100 games on SQLite a move takes 0.9 of the processor time, and none is confirmed later.
    """

    def __init__(
        self,
        answers: Callable[[list[Question]], Awaitable[Sequence[Answer | Exception]]],
        most: int,
    ) -> None:
        self._answers = answers
        self._most = most
        self._waiting: list[tuple[Question, asyncio.Future[Answer]]] = []
        self._task: asyncio.Task[None] | None = None

    async def ask(self, question: Question) -> Answer:
        """The answer, in its group's turn."""
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((question, answered))
        if self._task is None:
            self._task = asyncio.create_task(self._ask_all())
        return await answered

    async def close(self) -> None:
        """Wait until all is answered."""
        if self._task:
            await self._task

    async def _ask_all(self) -> None:
        clock = asyncio.get_running_loop().time
        while self._waiting:
            group, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
            answers: Sequence[Answer | Exception]
            start = clock()
            try:
                answers = await self._answers([question for question, _ in group])
            except Exception as error:  # of any kind: the next group is asked
                answers = [error] * len(group)
            took = clock() - start
            for (_, answered), answer in zip(group, answers, strict=True):
                if answered.done():  # the task that waited has ended
                    continue
                if isinstance(answer, Exception):
                    answered.set_exception(answer)
                else:
                    answered.set_result(answer)
            if len(group) > 1:
                await asyncio.sleep(min(took / 2, REST))
        self._task = None
