"""The sentence about a missing library fits the way noughts was installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from noughts import extras


def installed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that the package lies in ``folder/src/noughts``."""
    monkeypatch.setattr(extras, "__file__", str(folder / "src" / "noughts" / "extras.py"))


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone, whose package is the one that is imported."""
    (tmp_path / "script").mkdir()
    (tmp_path / "script" / "setup").touch()
    installed(tmp_path, monkeypatch)
    return tmp_path


def test_missing_recommends_pip_for_an_installed_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(tmp_path, monkeypatch)
    assert extras.missing("SGF", "sgfmill", "records") == (
        'SGF requires sgfmill: pip install "noughts[records]"'
    )
    assert extras.missing("a window", "pygame") == "a window requires pygame: pip install pygame"


def test_missing_recommends_set_up_in_the_environment_of_a_clone(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", str(clone / ".venv"))
    assert extras.missing("SGF", "sgfmill", "records") == (
        f"SGF requires sgfmill: run script/setup in {clone}"
    )


def test_missing_recommends_an_editable_install_in_another_environment(clone: Path) -> None:
    assert extras.missing("SGF", "sgfmill", "records") == (
        f'SGF requires sgfmill: pip install -e "{clone}[records]"'
    )
    assert extras.missing("a window", "pygame") == "a window requires pygame: pip install pygame"


def test_require_extra_raises_for_libraries_only() -> None:
    with (
        pytest.raises(extras.MissingExtra, match=r"^SGF requires sgfmill: "),
        extras.require_extra("SGF", "sgfmill", "records"),
    ):
        raise ModuleNotFoundError("No module named 'sgfmill'", name="sgfmill")
    with (
        pytest.raises(ModuleNotFoundError, match=r"^not compiled$"),
        extras.require_extra("SGF", "sgfmill", "records"),
    ):
        raise ModuleNotFoundError("not compiled", name="noughts.game._board")
