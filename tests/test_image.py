"""The image of `deploy/Containerfile`, built and run as its comment describes.

The test takes some minutes and needs the Debian packages podman, runc and debootstrap. The base
image is a plain Debian that debootstrap creates, since a registry of images may be out of reach.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copy, which
from subprocess import run
from tempfile import TemporaryDirectory

import httpx
import pytest

from service.serving import free_port

ROOT = Path(__file__).parents[1]
SECONDS = 900
AUTHORITIES = Path(
    "/etc/ssl/certs/ca-certificates.crt"
)  # certificate authorities that this machine trusts
MISSING = [name for name in ("podman", "runc", "debootstrap") if which(name) is None]
LIMITS = ("--ulimit", "nofile=4096:4096", "--ulimit", "nproc=1024:1024")  # any user may set these

pytestmark = [
    pytest.mark.tier2("network"),
    pytest.mark.skipif(
        bool(MISSING) or os.geteuid() != 0, reason="needs root, podman, runc and debootstrap"
    ),
]

Podman = Callable[..., str]


def output(*command: str | Path) -> str:
    """Run a command, which must succeed, and return its output."""
    done = run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout.strip()


@pytest.fixture(scope="module")
def podman() -> Iterator[Podman]:
    """Return a function that runs podman with its own images and containers."""
    with TemporaryDirectory(prefix="noughts-") as folder:  # podman allows 50 characters
        yield from running_podman(Path(folder))


def running_podman(folder: Path) -> Iterator[Podman]:
    """Yield a function that runs podman in this folder."""
    policy = folder / "policy.json"
    policy.write_text('{"default": [{"type": "insecureAcceptAnything"}]}')
    command = ["podman", f"--root={folder}/root", f"--runroot={folder}/run"]
    command += ["--cgroup-manager=cgroupfs", "--runtime=runc"]

    def podman(name: str, *arguments: str | Path, fails: bool = False) -> str:
        trusting = [f"--signature-policy={policy}"] if name in ("build", "import") else []
        done = run(
            [*command, name, *trusting, *arguments],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        assert (done.returncode != 0) == fails, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout.strip()

    yield podman
    podman("rm", "--all", "--force")
    podman("rmi", "--all", "--force")


@pytest.fixture(scope="module")
def image(podman: Podman, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Build the image as the comment in the file describes, and return its name."""
    debian = tmp_path_factory.mktemp("debian")
    debian.chmod(0o755)  # the image's root folder, which every user must be able to enter
    output("debootstrap", "--variant=minbase", "bookworm", debian, "http://deb.debian.org/debian")
    if AUTHORITIES.exists():
        trusted = debian / "usr/local/share/ca-certificates"
        trusted.mkdir()
        copy(AUTHORITIES, trusted / "machine.crt")
    archive = tmp_path_factory.mktemp("archive") / "debian.tar"
    output("tar", "--create", "--file", archive, "--directory", debian, ".")
    podman("import", archive, "debian-plain")
    built = ["--format", "docker", "--file", "deploy/Containerfile", "--tag", "noughts", "."]
    podman("build", "--isolation=chroot", "--network=host",
           "--build-arg", "BASE=localhost/debian-plain", *built)  # fmt: skip
    return "localhost/noughts"


def test_image_serves_without_root_and_keeps_its_games(podman: Podman, image: str) -> None:
    port = free_port()
    podman(
        *("run", "--detach", "--name", "server", "--network", "host", *LIMITS, "--no-healthcheck"),
        *("--read-only", "--cap-drop", "all", "--volume", "games:/games"),
        *("--env", "NOUGHTS_HOST=127.0.0.1", "--env", f"NOUGHTS_PORT={port}", image),
    )
    with httpx.Client(
        base_url=f"http://127.0.0.1:{port}", transport=httpx.HTTPTransport(retries=7)
    ) as client:
        made = client.post("/api/games", json={"n": 3, "opponent": "self"})
        assert made.status_code == 201
        game = f"/api/games/{made.json()['id']}"
        allowed = {"Authorization": f"Bearer {made.json()['token']}"}
        move = {"cell": [1, 1], "seq": made.json()["game"]["seq"], "key": "first"}
        assert client.post(f"{game}/moves", json=move, headers=allowed).status_code == 201
        assert podman("exec", "server", "id", "-u") == "10001"
        podman("exec", "server", "touch", "/opt/noughts/new", fails=True)
        podman("exec", "server", "touch", "/games/new")
        kind, *command = json.loads(podman("inspect", image))[0]["Healthcheck"]["Test"]
        assert kind == "CMD"
        podman("exec", "server", *command)
        podman("stop", "server")
        podman("start", "server")
        assert client.get(game).json()["moves"] == [[1, 1]]
