"""A server that is killed repeatedly under load loses no confirmed move."""

from __future__ import annotations

from contextlib import closing
from random import Random

import pytest

from noughts.service.store.dialects import store_at
from service.loading import Load, check
from service.serving import Reborn

pytestmark = pytest.mark.tier2("process")

KILLS = 50


def test_killed_server_loses_no_confirmed_move(database: str) -> None:
    dice = Random(database.partition(":")[0])
    with closing(Reborn(database)) as server:
        server.start()
        with Load(server, players=3) as load:
            for _ in range(KILLS):
                load.wait_for(dice.randint(1, 20))
                server.kill()
                server.start()
            load.wait_for(20)
            load.end()
            check(server, load)
    with closing(store_at(database)) as store:
        for id, confirmed in load.confirmed.items():
            seqs = [event.seq for event in store.events({id: 0})]
            assert seqs == list(range(1, len(seqs) + 1))
            assert len(seqs) >= confirmed
