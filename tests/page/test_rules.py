"""Rules on the page: how they are chosen, played and enforced."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from page.browsing import People, cell, hear, play, standing, start

CROSS = [(8, 6), (1, 1), (8, 7), (1, 15), (6, 8), (15, 1), (7, 8), (15, 15)]


@pytest.mark.parametrize(
    ("preset", "variant", "about", "title"),
    [
        ("Four on 6×6", "freestyle", "4 or more in a row wins.", "6×6, 4 in a row"),
        ("Connect Four", "freestyle", "4 or more in a row wins. Marks fall", "Connect Four"),
        ("Gomoku", "renju", "X wins with exactly five", "15×15, renju"),
        ("Tic-tac-toe", "misere", "The player who gets 3 in a row loses.", "3×3, 3 in a row loses"),
        ("Large", "caro", "blocked both ends", "100×100, 5 in a row, caro"),
    ],
)
def test_preset_and_variant_start_named_game(
    people: People, preset: str, variant: str, about: str, title: str
) -> None:
    page = people.come()
    page.get_by_role("button", name=preset).click()
    page.get_by_label("Rules").select_option(variant)
    expect(page.get_by_role("button", name=preset)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#about-variant")).to_contain_text(about)
    page.get_by_text("Same device").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)


def test_incompatible_rules_cannot_be_combined(people: People) -> None:
    page = people.come()
    variant, k = page.get_by_label("Rules"), page.get_by_label("In a row", exact=True)
    page.get_by_role("button", name="Gomoku").click()
    variant.select_option("renju")
    expect(variant).to_have_value("renju")
    page.get_by_text("Custom board", exact=True).click()
    page.get_by_label("Marks fall").check()
    expect(variant).to_have_value("freestyle")
    expect(variant.locator("[value=renju]")).to_be_disabled()
    variant.select_option("caro")
    page.get_by_label("Rows", exact=True).fill("8")  # a square board stays square
    page.get_by_label("Columns", exact=True).fill("4")
    expect(page.locator("#size")).to_have_text("8×4")
    k.fill("6")
    expect(page.locator("#rule")).to_have_text("6 in a row, caro, marks fall")


def test_connect_four_is_played_by_pointer_and_keyboard(people: People) -> None:
    page = people.come()
    start(page, opponent="self", shape=[6, 7], k=4, gravity=True)
    board = page.locator("noughts-board")
    for ply, col in enumerate([4, 5, 4, 5, 4, 5], start=1):
        expect(board).to_have_class(re.compile("playable"))
        cell(page, 1 + ply % 6, col).click()  # any cell of the column, even a taken one
        expect(page.locator(".sheet button")).to_have_count(ply)
    expect(cell(page, 4, 4)).to_have_accessible_name("D4, X")
    expect(cell(page, 1, 4)).to_have_accessible_name("D1, empty, falls to D3")
    expect(board).to_have_class(re.compile("playable"))
    cell(page, 1, 4).focus()
    page.keyboard.press("Enter")
    hear(page, "X plays D3. X wins.")
    expect(standing(page)).to_have_text("X wins")
    expect(page.locator(".strikes path")).to_have_count(1)


def test_renju_fouls_are_marked_and_explained(people: People) -> None:
    people.expected.append("409")
    page = people.come()
    start(page, opponent="self", shape=[15, 15], k=5, variant="renju")
    play(page, *CROSS)
    expect(cell(page, 8, 8)).to_have_accessible_name("H8, empty, forbidden")
    expect(page.locator(".field .forbidden")).to_have_attribute("d", re.compile("^M[^M]+$"))
    expect(page.get_by_text("X may not play on cells with △.")).to_be_visible()
    cell(page, 8, 8).click()
    expect(page.locator("#problem")).to_have_text(
        "Renju forbids this move for X: it makes a double-three: two open threes at once."
    )
    expect(standing(page)).to_have_text("X to move")
    play(page, (8, 9))
    expect(page.get_by_text("X may not play on cells with △.")).to_be_hidden()  # O has no fouls
    play(page, (8, 8))


def test_misere_line_loses(people: People) -> None:
    page = people.come()
    start(page, opponent="self", n=3, variant="misere")
    play(page, (1, 1), (2, 2), (1, 2), (3, 3), (1, 3))
    expect(standing(page)).to_have_text("O wins")
    expect(cell(page, 1, 2)).to_have_accessible_name("B1, X, on a losing line")
