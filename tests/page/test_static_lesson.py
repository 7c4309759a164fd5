"""The lesson from a server that only sends files."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from noughts.service.http.assets import installed_pyodide
from page.browsing import serving_files, visiting
from page.test_turn import SUMS, judge, there
from script.tools.static_lesson import write_lesson


@pytest.mark.usefixtures("pyodide")
def test_lesson_works_from_files_and_offline(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "pyodide").symlink_to(installed_pyodide())
    base = "/docs/noughts"
    site = tmp_path / base[1:]
    write_lesson(site, base, "/pyodide/")
    (site / "index.html").write_text("documentation")
    with serving_files(tmp_path) as server, visiting(browser, server) as people:
        page = people.come(f"{base}/learn#turn", service_workers="allow")
        expect(judge(there(page), SUMS)).to_contain_text("Correct")
        page.evaluate("navigator.serviceWorker.ready")
        page.context.set_offline(True)
        page.reload()
        there(page)
