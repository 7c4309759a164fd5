"""The command ``noughts convert``."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from commands import CALLS, GAMES, noughts
from noughts import Rules
from noughts.records import Note, Record, read_records, writer_of

RENJU = Rules.gomoku("renju")
NOTES = Note(took=456), Note(took=12)
FINAL = Record(RENJU, ((7, 7), (6, 7)), "final", 1, ("Ann", "Bob"), "", NOTES)
CUBE = Record(Rules((4, 4, 4), gravity=True), ((3, 0, 0),), "cube", 2)


def read(path: Path, rules: Rules | None = None) -> list[object]:
    with path.open("rb") as file:
        return list(read_records(file, path.name, rules))


def write(path: Path, *records: Record) -> Path:
    to_text = writer_of(path)
    assert to_text
    path.write_text("".join(map(to_text, records)))
    return path


@pytest.mark.parametrize(
    ("suffixes", "kept"),
    [
        ([".sgf", ".psq", ".sgf"], Record(RENJU, FINAL.moves, None, 1, FINAL.names, "", NOTES)),
        ([".jsonl", ".parquet", ".jsonl"], Record(RENJU, FINAL.moves, "final", 1)),
        ([".parquet", ".sgf"], Record(RENJU, FINAL.moves, "final", 1)),
        ([".pos", ".jsonl"], Record(RENJU, FINAL.moves)),
    ],
)
def test_game_survives_conversion_between_formats(
    suffixes: list[str], kept: Record, tmp_path: Path
) -> None:
    path = write(tmp_path / "0.sgf", FINAL)
    for number, suffix in enumerate(suffixes, 1):
        before, path = path, tmp_path / f"{number}{suffix}"
        result = noughts("convert", before, path, "--rules", "renju")
        assert result.exit_code == 0
        assert result.stderr.startswith("1 game converted\n")
    assert read(path) == [kept]


def test_convert_joins_and_splits_files(tmp_path: Path) -> None:
    sources = [write(tmp_path / f"{name}.sgf", FINAL, FINAL) for name in "ab"]
    assert noughts("convert", *sources, tmp_path / "all.sgf").exit_code == 0
    assert read(tmp_path / "all.sgf") == [FINAL] * 4
    assert noughts("convert", *sources, tmp_path / "out", "--to", "psq").exit_code == 0
    found = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert found == ["a-2.psq", "a.psq", "b-2.psq", "b.psq"]
    assert noughts("convert", *sources, tmp_path / "out", "--to", "sgf").exit_code == 0
    assert read(tmp_path / "out" / "b.sgf") == [FINAL, FINAL]


def test_examples_survive_conversion_to_parquet(tmp_path: Path) -> None:
    assert noughts("convert", GAMES, tmp_path / "games.parquet").exit_code == 0
    assert noughts("convert", tmp_path / "games.parquet", tmp_path / "games.jsonl").exit_code == 0
    assert read(tmp_path / "games.jsonl") == read(GAMES)


def test_unsupported_games_are_reported_and_others_converted(tmp_path: Path) -> None:
    games = write(tmp_path / "games.jsonl", FINAL, CUBE)
    with games.open("a") as file:
        file.write('{"n": 3}\n' + CALLS.read_text())
    result = noughts("convert", games, tmp_path / "games.sgf")
    assert result.exit_code == 1
    assert result.stderr.splitlines() == [
        f"{tmp_path}/games.sgf: game 'cube': SGF supports only two players "
        "and boards of up to 52×52",
        f"{games}:3: moves must be a list of cells such as [[0, 0], [1, 1]], got no moves",
        f"{games}: a call list cannot be converted",
        "1 game converted",
        "3 games could not be converted",
    ]
    assert len(read(tmp_path / "games.sgf")) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["games.sgf"], "expected the files to read, then the file to write"),
        (
            ["games.sgf", "games.doc"],
            "games.doc must end in .jsonl, .json, .parquet, .csv, .txt,",
        ),
        (["games.sgf", "games.rif"], ".rif files are read but not written: games.rif must end in"),
        (["games.sgf", "games.psq"], "a .psq file holds one game: use --to psq"),
        (["games.sgf", "games.sgf"], "games.sgf would be overwritten while it is read"),
        (["games.sgf", "games.sgf", "out", "--to", "psq"], "would be written twice"),
        (["nothing.sgf", "games.pos"], "nothing.sgf: No such file or directory"),
        (["games.sgf", "out.pos", "--rules", "go"], "unknown rules 'go'"),
    ],
)
def test_invalid_arguments_are_rejected(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = write(tmp_path / "games.sgf", FINAL, FINAL).read_text()
    result = noughts("convert", *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert (tmp_path / "games.sgf").read_text() == before
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (["convert", "missing.sgf", "old.jsonl"], "old.jsonl"),
        (["convert", "missing.sgf", ".", "old.parquet"], "old.parquet"),
        (["convert", "old.sgf", "new", "--to", "jsonl"], "new/old.jsonl"),
        (["judge", "missing", "-o", "old.jsonl"], "old.jsonl"),
        (["judge", "missing", "-o", "old.parquet"], "old.parquet"),
    ],
    ids=" ".join,
)
def test_unreadable_sources_leave_the_output_unchanged(
    words: list[str], kept: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = noughts(*words)
    assert result.exit_code == 2
    assert f"noughts: {words[1]}: No such file or directory\n" in result.stderr
    assert not list(tmp_path.iterdir())
    Path(kept).parent.mkdir(exist_ok=True)
    Path(kept).write_text("old\n")
    assert noughts(*words).exit_code == 2
    assert Path(kept).read_text() == "old\n"
    assert not list(tmp_path.rglob("*.part"))


def test_readable_sources_are_written_if_another_is_missing(tmp_path: Path) -> None:
    games = write(tmp_path / "games.sgf", FINAL)
    out = tmp_path / "out.jsonl"
    out.write_text("old\n")
    assert noughts("convert", tmp_path / "missing", games, out).exit_code == 2
    assert out.read_text().startswith('{"id":"final"')
    assert noughts("judge", tmp_path / "missing", games, "-o", out).exit_code == 2
    assert '"status"' in out.read_text()


def test_output_is_kept_if_no_game_can_be_written(tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    games.write_text('{"shape":[3,3,3],"k":3,"moves":[[0,0,0]]}\n')
    for name in ("out.sgf", "out.psq", "out.board", "out.pos"):
        out = tmp_path / name
        out.write_text("old\n")
        assert noughts("convert", games, out).exit_code == 1
        assert out.read_text() == "old\n"
    assert not list(tmp_path.glob("*.part"))


def test_games_without_an_id_are_found_by_the_one_that_judge_prints(tmp_path: Path) -> None:
    file = tmp_path / "games.txt.gz"
    file.write_bytes(gzip.compress(b"a1\nb2 c3\n"))
    printed = [json.loads(line)["id"] for line in
               noughts("judge", file, "--rules", "3x3").stdout.splitlines()]  # fmt: skip
    assert printed == [f"{tmp_path}/games.txt", f"{tmp_path}/games.txt#2"]
    shown = noughts("show", file, "--rules", "3x3", "--id", printed[1])
    assert (shown.exit_code, "ply 2" in shown.stdout) == (0, True)


@pytest.mark.parametrize("text", ["", "hello\n", "4453\n"])
def test_output_is_kept_if_no_game_can_be_read(text: str, tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    games.write_text(text)
    out = tmp_path / "out.jsonl"
    out.write_text("old\n")
    for words in (("convert", games, out), ("judge", games, "-o", out)):
        result = noughts(*words)
        assert (result.exit_code, out.read_text()) == (1, "old\n")
        assert "games.txt" in result.stderr


def test_rules_option_applies_to_files_without_rules(tmp_path: Path) -> None:
    foul = tmp_path / "foul.pos"
    foul.write_text("i8a15j8c15h7e15h6g15h8\n")
    assert noughts("judge", foul).exit_code == 0
    judged = noughts("judge", foul, "--rules", "renju")
    assert judged.exit_code == 1
    assert '"message":"cell (7, 7) is a foul: it makes a double-three"' in judged.stdout
    assert f'"id":"{foul}"' in judged.stdout
    shown = noughts("show", foul, "--rules", "renju", "--ply", "8")
    assert shown.stdout.startswith(f"{foul} · 15×15, 5 in a row, renju · ply 8 · X to move\n")
    assert shown.stdout.count("×") == 2  # one in 15×15, one marks the foul
