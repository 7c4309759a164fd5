"""HAProxy or nginx in front of two servers, configured as in `deploy/`."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import create_connection, create_server
from tempfile import TemporaryDirectory
from time import sleep
from typing import Literal

from lab.load.process import PATIENCE, Server, ServerFailed

Program = Literal["haproxy", "nginx"]
DEPLOY = Path(__file__).parents[2] / "deploy"
FILES: dict[Program, str] = {"haproxy": "haproxy.cfg", "nginx": "nginx.conf"}
COMMANDS: dict[Program, list[str]] = {
    "haproxy": ["haproxy", "-db", "-f"],
    "nginx": ["nginx", "-e", "stderr", "-g", "daemon off;", "-c"],
}
CERTIFICATE = (
    "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost"
)


@contextmanager
def proxied(
    program: Program, ports: Sequence[int], connections: int = 3000, by_address: int = 250
) -> Iterator[Server]:
    """Start a proxy on a free loopback port, with TLS and a self-signed certificate.

    Args:
        program: the proxy's program.
        ports: the ports of the two servers.
        connections: its maximum, since the system may not permit the number in `deploy/`.
        by_address: its maximum number of connections from one address.

    Raises:
        ServerFailed: it did not start.
    """
    with TemporaryDirectory(prefix="noughts-proxy-") as folder:
        with create_server(("127.0.0.1", 0)) as one, create_server(("127.0.0.1", 0)) as two:
            http, https = one.getsockname()[1], two.getsockname()[1]  # both are free
        file = Path(folder, FILES[program])
        text = (DEPLOY / FILES[program]).read_text()
        for here, there in {
            r".*::.*\n": "",  # without IPv6
            r"(bind|listen) :?80\b": rf"\1 127.0.0.1:{http}",
            r"(bind|listen) :?443\b": rf"\1 127.0.0.1:{https}",
            r"127\.0\.0\.1:8001": f"127.0.0.1:{ports[0]}",
            r"127\.0\.0\.1:8002": f"127.0.0.1:{ports[1]}",
            r"/etc/ssl/private/noughts.pem": f"{folder}/noughts.pem",
            r"/run/nginx.pid": f"{folder}/pid",
            r"/var/log/nginx/error.log": "stderr",
            r"\b20000\b": f"{connections}",
            r"\b40000\b": f"{2 * connections}",
            r"\b250\b": f"{by_address}",
        }.items():
            text = re.sub(here, there, text)
        file.write_text(text if os.geteuid() == 0 else _without_root(text, folder))
        command = [*CERTIFICATE.split(), "-keyout", f"{folder}/key"]
        command += ["-out", f"{folder}/certificate"]
        subprocess.run(command, check=True, capture_output=True)
        parts = (Path(folder, name).read_text() for name in ("certificate", "key"))
        Path(folder, "noughts.pem").write_text("".join(parts))
        with Path(folder, "log").open("w+") as log:
            process = subprocess.Popen([*COMMANDS[program], file], stdout=log, stderr=log)
            try:
                while not _listens(https):
                    if process.poll() is not None:
                        raise ServerFailed(f"{program} exited: {Path(log.name).read_text()}")
                    sleep(0.01)
                yield Server(f"https://127.0.0.1:{https}", process.pid)
            finally:
                process.terminate()
                process.wait(PATIENCE)


def _without_root(text: str, folder: str) -> str:
    """Return the configuration without directives that need root or write to system folders."""
    text = re.sub(r"(?m)^ *(user|group|chroot) .*\n", "", text)
    kinds = "client_body", "proxy", "fastcgi", "uwsgi", "scgi"
    paths = "".join(f"    {kind}_temp_path {folder};\n" for kind in kinds)
    return text.replace("http {\n", f"http {{\n{paths}")


def _listens(port: int) -> bool:
    with suppress(OSError), create_connection(("127.0.0.1", port)):
        return True
    return False
