"""Databases with servers."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Mapping
from uuid import uuid4

import psycopg
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from loopspec import CannotStore, Capability, ReadRequest

from . import servers
from .adapter import Store, as_key, store

SERVER: tuple[Capability, ...] = (
    *("confined", "deletes", "edits"),
    *("fault-gone", "fault-refused", "fault-timeout"),
)


class Keys(Store):
    """Keys of Redis. The client returns None for a missing key.

    Each store has a prefix of its own for its keys, and a user who may read nothing else.
    """

    def mount(self) -> None:
        """Make a user, and connect."""
        self._server = servers.redis()
        self._admin = redis.Redis(port=self._server.port)
        self._user = f"user-{uuid4()}"
        self._paths: set[str] = set()
        self._admin.acl_setuser(self._user, enabled=True, passwords=["+loopspec"], categories=["+@all"], keys=["*"])
        account = {"username": self._user, "password": "loopspec"}
        limits = {"socket_timeout": 1, "socket_connect_timeout": 1, "retry": Retry(NoBackoff(), 0)}
        self._client = redis.Redis(port=self._server.port, **account, **limits)
        self.exit.callback(self._client.close)
        self.exit.callback(self._remove)

    def _remove(self) -> None:
        if self._server.fine:
            self._admin.acl_deluser(self._user)
            self._admin.delete(self._user, *map(self._key, self._paths))
        self._admin.close()

    def _key(self, path: str) -> str:
        return f"{self._user}/{as_key(path)}"

    def get(self, path: str) -> bytes:
        """The value of a key."""
        content: bytes = self._client.get(self._key(path))  # type: ignore[assignment]  # None is what is judged here
        return content

    def put(self, path: str, content: bytes) -> None:
        """Set a key."""
        self._paths.add(path)
        self._client.set(self._key(path), content)

    def delete(self, path: str) -> None:
        """Delete the key."""
        self._client.delete(self._key(path))

    def fault(self, path: str, kind: str) -> None:
        """Let the user read the other keys only, or make the value a list."""
        if kind == "permission":
            keys = [self._key(other) for other in self._paths - {path}]
            self._admin.execute_command("ACL", "SETUSER", self._user, "resetkeys", *(f"~{key}" for key in keys))
        else:
            self._admin.delete(self._key(path))
            self._admin.lpush(self._key(path), "a list")

    def fail(self, kind: str) -> None:
        """Fail the server, or remove the user, which also ends the user's connections."""
        if kind == "refused":
            self._admin.acl_deluser(self._user)
        else:
            self._server.fail(kind)


@store("Redis, untranslated", "redis", "fault-io", "fault-permission", *SERVER)
class RedisUntranslated(Keys):
    """Redis, with what the client returns."""


@store("Redis", "redis", "fault-io", "fault-permission", *SERVER)
class Redis(Keys):
    """Redis. The adapter raises the missing-file error for None."""

    def get(self, path: str) -> bytes:
        """The value of a key."""
        content = super().get(path)
        if content is None:
            raise FileNotFoundError(path)
        return content


class Rows:
    """A table of paths and contents in PostgreSQL. The adapter raises the missing-file error where there is no row.

    The driver has no time limit for a read, and a cancelled read waits ten seconds for a server that does not answer.
    So the adapter ends the connection after one second.
    """

    def __init__(self, connection: psycopg.AsyncConnection, server: servers.Server, name: str) -> None:
        self._connection = connection
        self._server = server
        self._name = name

    @classmethod
    async def open(cls, files: Mapping[str, bytes]) -> Rows:
        """Make a role and its table."""
        server, name = servers.postgresql(), f"role_{uuid4().hex}"
        place = f"host=127.0.0.1 port={server.port} dbname=postgres"
        async with await psycopg.AsyncConnection.connect(f"{place} user=loopspec", autocommit=True) as admin:
            await admin.execute(f"CREATE ROLE {name} LOGIN")
            await admin.execute(f"CREATE TABLE {name} (path text PRIMARY KEY, content bytea)")
            await admin.execute(f"ALTER TABLE {name} OWNER TO {name}")
        rows = cls(await psycopg.AsyncConnection.connect(f"{place} user={name}", autocommit=True), server, name)
        for path, content in files.items():
            await rows.write(path, content)
        return rows

    async def read(self, request: ReadRequest) -> bytes:
        """The content in the row of the path."""
        limit = asyncio.get_running_loop().call_later(1, self._hang_up)
        try:
            query = f"SELECT content FROM {self._name} WHERE path = %s"
            row = await (await self._connection.execute(query, [as_key(request.file_path)])).fetchone()
        finally:
            limit.cancel()
        if row is None:
            raise FileNotFoundError(request.file_path)
        return bytes(row[0])

    def _hang_up(self) -> None:
        with socket.socket(fileno=os.dup(self._connection.pgconn.socket)) as line:
            line.shutdown(socket.SHUT_RDWR)

    async def write(self, path: str, content: bytes) -> None:
        """Insert or replace the row."""
        insert = f"INSERT INTO {self._name} VALUES (%s, %s) ON CONFLICT (path) DO UPDATE SET content = EXCLUDED.content"
        try:
            await self._connection.execute(insert, [as_key(path), content])
        except (psycopg.DataError, UnicodeEncodeError) as error:
            raise CannotStore(path) from error

    async def delete(self, path: str) -> None:
        """Delete the row."""
        await self._connection.execute(f"DELETE FROM {self._name} WHERE path = %s", [as_key(path)])

    async def _as_admin(self, *commands: str) -> None:
        place = f"host=127.0.0.1 port={self._server.port} dbname=postgres user=loopspec"
        async with await psycopg.AsyncConnection.connect(place, autocommit=True) as admin:
            for command in commands:
                await admin.execute(command)

    async def fail(self, kind: str) -> None:
        """Fail the server, or drop the table, or reject the role and end its connection."""
        if kind == "container":
            await self._as_admin(f"DROP TABLE {self._name}")
        elif kind == "refused":
            end = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{self._name}'"
            await self._as_admin(f"ALTER ROLE {self._name} NOLOGIN", end)
        else:
            self._server.fail(kind)

    async def close(self) -> None:
        """Remove the table and the role."""
        await self._connection.close()
        if self._server.fine:
            await self._as_admin(f"DROP TABLE IF EXISTS {self._name}", f"DROP ROLE IF EXISTS {self._name}")


Postgresql = store("PostgreSQL", "psycopg", "cancel-read", "closes", "fault-container", *SERVER)(Rows.open)
