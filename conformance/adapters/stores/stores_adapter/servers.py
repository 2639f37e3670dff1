"""Real servers on loopback, each a process. A store starts the server that it needs, and kills or stops it to fail."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

PASSWORD = "loopspec"
_READY = 60  # seconds until a server accepts connections; a busy machine imports moto slowly
# The server ends with this process, however this process ends: the pipe of its standard input is then closed.
_GUARD = 'trap "" TERM INT; "$@" < /dev/null & read -r _; kill -KILL "$!" 2> /dev/null; wait'

Command = Callable[["Server"], list[str]]
Ready = Callable[["Server"], bool]


class Server:
    """A server process on 127.0.0.1, and the folder that the server serves or keeps its data in.

    `user` is the account of the process, for a server that rejects root.
    """

    def __init__(self, command: Command, is_ready: Ready, user: str | None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="loopspec-server-"))
        self.folder.chmod(0o755)
        self._log = self.folder.with_suffix(".log")
        self.port = _free_port()
        self.password = PASSWORD
        self.user = user if os.geteuid() == 0 else None
        if self.user:
            shutil.chown(self.folder, self.user)
        self._command, self._is_ready = command, is_ready
        self._start()
        atexit.register(self.end)

    def _start(self) -> None:
        self.fine = True
        program, *words = self._command(self)
        if shutil.which(program) is None:
            raise RuntimeError(f"{program} is not installed")
        command = ["sh", "-c", _GUARD, "sh", program, *words]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=log, stderr=log, cwd=self.folder, user=self.user
            )
        self._wait()

    def _wait(self) -> None:
        until = time.monotonic() + _READY
        started = False
        while time.monotonic() < until:
            if self._is_ready(self):
                return
            time.sleep(0.02)
            processes = [*_descendants(self._process.pid)]
            started = started or bool(processes)
            if started and not any(map(_runs, processes)):
                break
        said = self._log.read_text(errors="replace")[-500:]
        self.end()
        raise RuntimeError(f"the server {self._process.args!r} does not start: {said}")

    def fail(self, kind: str) -> None:
        """Kill the server ("gone"), stop it ("timeout"), or start it again with another password ("refused")."""
        self.fine = False
        if kind == "gone":
            self._signal(signal.SIGKILL)
        elif kind == "timeout":
            self._signal(signal.SIGSTOP)
        else:
            self.password = f"not {PASSWORD}"
            self._restart()
            self.fine = False

    def revived(self) -> Server:
        """The server, started again if a store made it fail."""
        if not self.fine:
            self.password = PASSWORD
            self._restart()
        return self

    def _restart(self) -> None:
        self._kill()
        self._start()

    def _signal(self, number: signal.Signals) -> list[int]:
        processes = [*_descendants(self._process.pid)]  # before the first signal: then the children have no parent
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, number)
        return processes

    def _kill(self) -> None:
        """Kill the server and wait for the end of its processes, which may share memory or lock a file."""
        killed = self._signal(signal.SIGKILL)
        self._process.communicate()
        until = time.monotonic() + _READY
        while any(map(_runs, killed)) and time.monotonic() < until:
            time.sleep(0.01)

    def end(self) -> None:
        """End the server, and remove its folder."""
        self._kill()
        shutil.rmtree(self.folder, ignore_errors=True)
        self._log.unlink(missing_ok=True)


def _accepts(server: Server) -> bool:
    """Whether the server accepts connections."""
    try:
        socket.create_connection(("127.0.0.1", server.port), 1).close()
    except OSError:
        return False
    return True


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _runs(process: int) -> bool:
    """Whether a process exists and has not ended, by /proc."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _descendants(process: int) -> Iterator[int]:
    """The processes that a process has started, and theirs, by /proc."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:  # the process has ended
            continue
        if parent == process:
            child = int(stat.parent.name)
            yield child
            yield from _descendants(child)


@cache
def _server(command: Command, is_ready: Ready = _accepts, user: str | None = None) -> Server:
    return Server(command, is_ready, user)


def _program(name: str) -> Command:
    """A server in Python, of `programs.py`: the arguments are the port, the folder and the password."""
    file = str(Path(__file__).with_name("programs.py"))
    return lambda of: [sys.executable, file, name, str(of.port), str(of.folder), of.password]


_http, _webdav, _sftp = _program("http"), _program("webdav"), _program("sftp")


def _moto(of: Server) -> list[str]:
    return [sys.executable, "-m", "moto.server", "--host", "127.0.0.1", "--port", str(of.port)]


def _redis(of: Server) -> list[str]:
    return ["redis-server", "--bind", "127.0.0.1", "--port", str(of.port), "--save", "", "--dir", str(of.folder)]


def _postgresql(of: Server) -> list[str]:
    """The data folder is made once; a killed server recovers it."""
    data = of.folder / "data"
    if not data.exists():
        made = [_postgresql_program("initdb"), "-D", str(data), "-A", "trust", "-U", "loopspec", "--no-sync"]
        subprocess.run(made, check=True, capture_output=True, user=of.user, cwd=of.folder)
    options = ["listen_addresses=127.0.0.1", f"port={of.port}", "fsync=off", "unix_socket_directories="]
    (data / "postmaster.pid").unlink(missing_ok=True)
    return [_postgresql_program("postgres"), "-D", str(data), *(word for one in options for word in ("-c", one))]


def _postgresql_program(name: str) -> str:
    found = shutil.which(name) or next(map(str, sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))), None)
    return found or name


def _answers(server: Server) -> bool:
    """Whether PostgreSQL has recovered its data: the server accepts connections before."""
    words = [_postgresql_program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(server.port)]
    return subprocess.run(words, check=False).returncode == 0


def _openssh(of: Server) -> list[str]:
    """The keys of the server and of the user are made once."""
    host, user = of.folder / "host", key(of)
    for file in (host, user):
        if not file.exists():
            words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(file)]
            subprocess.run(words, check=True, capture_output=True)
    Path("/run/sshd").mkdir(exist_ok=True) if os.geteuid() == 0 else None
    options = {
        "HostKey": host,
        "AuthorizedKeysFile": user.with_suffix(".pub"),
        "StrictModes": "no",
        "UsePAM": "no",
        "PidFile": "none",
        "MaxStartups": "1000",
        "ListenAddress": "127.0.0.1",
        "Subsystem": "sftp internal-sftp",
    }
    config = of.folder / "config"
    config.write_text("".join(f"{name} {value}\n" for name, value in options.items()))
    return [shutil.which("sshd") or "/usr/sbin/sshd", "-D", "-e", "-f", str(config), "-p", str(of.port)]


def key(of: Server) -> Path:
    """The private key that OpenSSH's server accepts."""
    return of.folder / "user"


def http() -> Server:
    """An HTTP server of the standard library."""
    return _server(_http).revived()


def webdav() -> Server:
    """WsgiDAV."""
    return _server(_webdav).revived()


def sftp() -> Server:
    """An SFTP server of asyncssh."""
    return _server(_sftp).revived()


def openssh() -> Server:
    """OpenSSH's server."""
    return _server(_openssh).revived()


def s3() -> Server:
    """moto's server."""
    return _server(_moto).revived()


def redis() -> Server:
    """Redis."""
    return _server(_redis).revived()


def postgresql() -> Server:
    """PostgreSQL, which rejects root."""
    return _server(_postgresql, _answers, "postgres").revived()
