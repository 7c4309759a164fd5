"""The lesson as files, which any server of files can send."""

from __future__ import annotations

import re
from pathlib import Path

from noughts.service.http.assets import Files
from noughts.service.http.middleware import POLICY


def write_lesson(site: Path, base: str, pyodide: str) -> None:
    """Write the lesson and the files it needs below the folder of a site.

    Args:
        site: the folder.
        base: the path of the site on its server, without a slash at the end.
        pyodide: the URL of the folder with the files of Pyodide.
    """
    files = Files(root=base, pyodide=pyodide)
    files.save(site)
    worker = files.text("shared/worker.js").replace(f'"{base}/learn"', f'"{base}/learn/"')
    (site / "worker.js").write_text(worker, "utf-8")
    policy = POLICY.partition("; frame-ancestors")[0]  # which only a header can contain
    allowed = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    page = files.text("learn/learn.html").replace("<meta charset", f"{allowed}\n    <meta charset")
    page = re.sub(r" *<nav aria-label=\"Site\">.*?</nav>\n", "", page)  # it needs noughts serve
    (site / "learn").mkdir()
    (site / "learn" / "index.html").write_text(page, "utf-8")
