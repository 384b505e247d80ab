"""The container and the service run what there is, as nobody, and with no rights (SEC-16)."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.test_docs import commands
from wireroom.settings import described

_ROOT = Path(__file__).resolve().parent.parent
_CONTAINERFILE = (_ROOT / "Containerfile").read_text()
_COMPOSE = (_ROOT / "compose.yaml").read_text()
_UNIT = (_ROOT / "hosting/wireroom.service").read_text()
_PAGE = (_ROOT / "docs/hosting.md").read_text()


def _final_stage() -> list[tuple[str, str]]:
    """(instruction, rest) of what the image is made of, continued lines joined."""
    joined = _CONTAINERFILE.rpartition("\nFROM ")[2].replace("\\\n", " ")
    lines = ("FROM " + joined).splitlines()
    parts = (line.partition(" ") for line in lines if line and not line.startswith("#"))
    return [(word, " ".join(rest.split())) for word, _, rest in parts]


def _unit() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r"^(\w+)=(.*)$", _UNIT, re.MULTILINE):
        found.setdefault(name, []).append(value)
    return found


def test_the_container_runs_as_nobody_on_a_slim_base() -> None:
    """A slim base without a registry, a user by number that is not root, state on a volume."""
    image = dict(_final_stage())
    bases = re.findall(r"^FROM (\S+)", _CONTAINERFILE, re.MULTILINE)

    assert ["python:3.11-slim"] * 2 == bases
    assert "10001:10001" == image["USER"]
    assert "/data" == image["VOLUME"] == image["WORKDIR"]
    assert "--require-hashes" in _CONTAINERFILE


def test_what_comes_after_the_user_needs_no_root() -> None:
    """No instruction that runs something stands behind USER, and none changes it back."""
    words = [word for word, _ in _final_stage()]
    behind = words[words.index("USER") + 1 :]

    assert not {"RUN", "USER", "COPY", "ADD"} & set(behind)


def test_the_container_copies_what_there_is_and_no_secrets() -> None:
    """Every source is in the tree, and is let through to the builder, which gets nothing else."""
    copies = re.findall(r"^COPY (?!--from)(.+) \S+$", _CONTAINERFILE, re.MULTILINE)
    sources = {each.strip("./") for line in copies for each in line.split()}
    rules = (_ROOT / ".dockerignore").read_text().splitlines()
    let_through = {line[1:] for line in rules if line.startswith("!")}

    assert {"requirements.lock", "pyproject.toml", "README.md", "LICENSE", "src"} == sources
    assert sources == let_through
    assert "*" in rules
    assert all((_ROOT / each).exists() for each in sources)


def test_both_start_commands_that_exist() -> None:
    """`wireroom run`, in the container, under compose and in the unit."""
    image = dict(_final_stage())
    (started,) = _unit()["ExecStart"]

    assert ('["wireroom"]', '["run"]') == (image["ENTRYPOINT"], image["CMD"])
    assert 'command: ["run"]' in _COMPOSE
    assert "/opt/wireroom/bin/wireroom run" == started
    assert set(re.findall(r"/wireroom/?\S* (\w+)$", started)) | {"run"} <= set(commands())


def test_all_settings_that_are_named_exist() -> None:
    """A misspelt one would stop the start; `_FILE` reads one from a file."""
    known = {name for name, *_ in described()}
    everywhere = f"{_CONTAINERFILE}\n{_COMPOSE}\n{_UNIT}\n{_PAGE}"
    named = {each.removesuffix("_FILE") for each in re.findall(r"WIREROOM_\w+", everywhere)}

    assert {"WIREROOM_DATA_DIR", "WIREROOM_LISTEN"} <= named
    assert named <= known


def test_ports_and_folders_agree() -> None:
    """The port that is listened on is exposed, published and looked at for health."""
    image = _final_stage()
    listens = re.search(r"WIREROOM_LISTEN=0\.0\.0\.0:(\d+)", _CONTAINERFILE)
    assert listens is not None
    port = listens[1]
    health = next(rest for word, rest in image if word == "HEALTHCHECK")

    assert ("EXPOSE", port) in image
    assert f"http://127.0.0.1:{port}/health" in health
    assert f'"127.0.0.1:{port}:{port}"' in _COMPOSE
    assert "WIREROOM_DATA_DIR=/data" in _CONTAINERFILE
    assert '"data:/data"' in _COMPOSE


@pytest.mark.parametrize(
    "line",
    [
        "read_only: true", 'cap_drop: ["ALL"]', 'security_opt: ["no-new-privileges:true"]',
        'tmpfs: ["/tmp"]',
    ],
)  # fmt: skip
def test_compose_takes_rights_away(line: str) -> None:
    """No capabilities, none to be had later, and an image that cannot be written to."""
    assert line in [each.strip() for each in _COMPOSE.splitlines()]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("User", "wireroom"), ("CapabilityBoundingSet", ""), ("AmbientCapabilities", ""),
        ("NoNewPrivileges", "yes"), ("ProtectSystem", "strict"), ("ProtectHome", "yes"),
        ("PrivateTmp", "yes"), ("PrivateDevices", "yes"), ("ProtectProc", "invisible"),
        ("RestrictNamespaces", "yes"), ("MemoryDenyWriteExecute", "yes"),
        ("SystemCallArchitectures", "native"), ("StateDirectory", "wireroom"),
    ],
)  # fmt: skip
def test_the_service_has_no_rights(name: str, value: str) -> None:
    """No capabilities, a strict file system, and nothing of the machine but the network."""
    assert [value] == _unit()[name]


def test_the_service_may_do_what_the_program_does() -> None:
    """Leases ask /proc/sys for the boot, and the parser's process bounds its own memory."""
    assert "ProcSubset" not in _unit()
    assert ["@system-service", "~@privileged"] == _unit()["SystemCallFilter"]
    assert "AF_INET AF_INET6 AF_UNIX" in _unit()["RestrictAddressFamilies"]


def _analyze(tmp_path: Path, *words: str) -> subprocess.CompletedProcess[str]:
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("no systemd-analyze on this machine (Debian: apt-get install systemd)")
    unit = tmp_path / "wireroom.service"
    unit.write_text(re.sub(r"(?m)^ExecStart=.*$", "ExecStart=/bin/true", _UNIT))
    return subprocess.run(
        [tool, *words, str(unit)], capture_output=True, text=True, timeout=60, check=False
    )


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    """Every line of it is understood."""
    said = _analyze(tmp_path, "verify")

    assert (0, "") == (said.returncode, said.stderr)


def test_systemd_finds_little_exposed(tmp_path: Path) -> None:
    """At most 1.5 of 10; the network and 32-bit leftovers are most of it."""
    said = _analyze(tmp_path, "security", "--offline=true", "--threshold=15", "--no-pager")

    assert 0 == said.returncode, said.stdout[-300:]
