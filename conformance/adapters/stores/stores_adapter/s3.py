"""S3, of moto's server, through three clients."""

from __future__ import annotations

from abc import abstractmethod
from urllib.parse import quote
from urllib.request import Request, urlopen
from uuid import uuid4

import obstore
import s3fs
from obstore.store import S3Store
from upath import UPath

from loopspec import Capability

from . import servers
from .adapter import Store, store

SERVER: tuple[Capability, ...] = (
    *("confined", "deletes", "edits", "fault-permission"),
    *("fault-container", "fault-gone", "fault-refused", "fault-timeout"),
)
KEYS = {"key": "loopspec", "secret": "loopspec"}
# moto reads the key and does not check the signature, until a store requests it.
SIGNED = "AWS4-HMAC-SHA256 Credential=loopspec/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0"


class InBucket(Store):
    """A store over a bucket of its own. The time limit of the client is one second, and nothing is retried.

    A write to moto of a name with a line break fails with the missing-file error.
    """

    refusals = (ValueError, FileNotFoundError)

    def mount(self) -> None:
        """Make a bucket. The server keeps the bucket in memory until the server ends."""
        self._server = servers.s3()
        self.endpoint = f"http://127.0.0.1:{self._server.port}"
        self.bucket = f"bucket-{uuid4()}"
        self._paths: set[str] = set()
        self._call("PUT", "")
        self.connect()

    @abstractmethod
    def connect(self) -> None:
        """Make the client."""

    def write(self, path: str, content: bytes) -> None:
        """Put an object."""
        super().write(path, content)
        self._paths.add(path)

    def delete(self, path: str) -> None:
        """Delete an object, by another client."""
        self._call("DELETE", path)
        self._paths.remove(path)

    def _call(self, method: str, key: str, body: bytes = b"", **headers: str) -> None:
        url = f"{self.endpoint}/{self.bucket}/{quote(key)}"
        named = {"Authorization": SIGNED, "Content-Type": "application/octet-stream"} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        urlopen(Request(url, body, named, method=method), timeout=10).close()

    def _limit(self, count: int) -> None:
        """Let the server check the credentials after this many calls; moto knows none, and rejects all."""
        address, plain = f"{self.endpoint}/moto-api/reset-auth", {"Content-Type": "text/plain"}
        urlopen(Request(address, str(count).encode(), plain), timeout=10).close()

    def fault(self, path: str, kind: str) -> None:
        """Move the object to an archive, from which S3 returns nothing: the status is 403."""
        self._call("PUT", path, b"archived", x_amz_storage_class="GLACIER")

    def fail(self, kind: str) -> None:
        """Fail the server, or remove the bucket, or reject the credentials."""
        if kind == "container":
            for path in self._paths:
                self._call("DELETE", path)
            self._call("DELETE", "")
        elif kind == "refused":
            self._limit(0)
            self.exit.callback(self._limit, 10**9)
        else:
            self._server.fail(kind)


@store("S3 (moto), by s3fs", "s3fs", *SERVER)
class S3fs(InBucket):
    """s3fs."""

    def connect(self) -> None:
        """Make the client."""
        limits = {"connect_timeout": 1, "read_timeout": 1, "retries": {"max_attempts": 0}}
        options = {"endpoint_url": self.endpoint, "use_listings_cache": False}
        self._fs = s3fs.S3FileSystem(**KEYS, config_kwargs=limits, **options)
        self._fs.retries = 1

    def get(self, path: str) -> bytes:
        """The content of an object."""
        content: bytes = self._fs.cat_file(f"{self.bucket}/{path}")
        return content

    def put(self, path: str, content: bytes) -> None:
        """Put an object."""
        self._fs.pipe_file(f"{self.bucket}/{path}", content)


@store("S3 (moto), by obstore", "obstore", *SERVER)
class Obstore(InBucket):
    """obstore."""

    def connect(self) -> None:
        """Make the client."""
        self._store = S3Store(
            self.bucket,
            endpoint=self.endpoint,
            region="us-east-1",
            access_key_id=KEYS["key"],
            secret_access_key=KEYS["secret"],
            client_options={"allow_http": True, "timeout": "1s", "connect_timeout": "1s"},
            retry_config={"max_retries": 0},
        )

    def get(self, path: str) -> bytes:
        """The content of an object."""
        return bytes(obstore.get(self._store, path).bytes())

    def put(self, path: str, content: bytes) -> None:
        """Put an object."""
        obstore.put(self._store, path, content)


@store("S3 (moto), by universal_pathlib", "universal_pathlib", *SERVER)
class UniversalPathlib(InBucket):
    """universal_pathlib over s3fs."""

    def connect(self) -> None:
        """Make the path of the bucket."""
        limits = {"connect_timeout": 1, "read_timeout": 1, "retries": {"max_attempts": 0}}
        options = {"endpoint_url": self.endpoint, "use_listings_cache": False}
        self._root = UPath(f"s3://{self.bucket}", protocol="s3", **KEYS, config_kwargs=limits, **options)
        self._root.fs.retries = 1

    def get(self, path: str) -> bytes:
        """The content of an object."""
        return (self._root / path).read_bytes()

    def put(self, path: str, content: bytes) -> None:
        """Put an object."""
        (self._root / path).write_bytes(content)
