"""The server's settings: flags of ``noughts serve``, or NOUGHTS_… in the environment."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

Count = Annotated[int, Field(ge=0)]


class Settings(BaseSettings):
    """The server's settings. Each is read from NOUGHTS_ and its name in capitals.

    Attributes:
        host: the address to listen on.
        port: 0 for any that is free.
        database: where the games are kept.
        workers: processes that serve; more than one needs PostgreSQL.
        proxy: addresses of the proxies whose X-Forwarded-For and -Proto are believed, with commas
            between them; none of them if empty.
        creating, joining, moving: how many a minute from one address; 0 is no limit.
        streams: how many event streams at a time from one address; 0 is no limit.
    """

    model_config = SettingsConfigDict(env_prefix="NOUGHTS_", frozen=True)

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    database: str = "sqlite:///noughts.db"
    workers: Annotated[int, Field(ge=1)] = 1
    proxy: str = ""
    creating: Count = 60
    joining: Count = 60
    moving: Count = 1200
    streams: Count = 200
