"""The page as an app: it can be installed and works offline."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from shutil import copytree

from PIL import Image
from playwright.sync_api import expect

from noughts.service.http.assets import CONSTANTS, EDITOR, JAVASCRIPT_FILES, PAGE, Files
from page.browsing import People, play, standing, start
from service.serving import Server, speaking_to

KEPT = """async () => {
  const { active } = await navigator.serviceWorker.ready;
  while (active.state !== "activated")
    await new Promise((go) => active.addEventListener("statechange", go, { once: true }));
  const [release, ...others] = await caches.keys();
  if (others.length) throw new Error(`also kept: ${others}`);
  const cache = await caches.open(release);
  return (await cache.keys()).map(({ url }) => new URL(url).pathname);
}"""


def test_pages_work_offline(people: People) -> None:
    people.expected.append("net::ERR_|Failed to fetch|network error")
    page = people.come(service_workers="allow")
    kept = page.evaluate(KEPT)
    sent = [path for path in PAGE.rglob("*.*") if path.suffix != ".ts"]  # types stay here
    files = {f"/page/{path.relative_to(PAGE)}" for path in sent}
    assert {"/", "/learn", CONSTANTS} | files == {*kept, EDITOR, *JAVASCRIPT_FILES}
    id = start(page, opponent="self")
    page.context.set_offline(True)
    page.goto("/")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_enabled()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("No connection")
    page.goto("/learn#race")
    expect(page.locator("#race[data-done]")).to_be_visible()
    page.goto("/learn#mistake-no-rows")
    expect(page.get_by_role("heading", name="The smallest game")).to_be_visible()
    page.goto(f"/g/{id}")
    expect(page.locator("#lost")).to_be_visible()
    page.context.set_offline(False)
    expect(standing(page)).to_have_text("X to move")
    play(page, (1, 1))


def test_guest_caches_only_this_release(people: People) -> None:
    page = people.come("/docs", service_workers="allow")
    page.evaluate("caches.open('noughts-older')")
    start(page)
    assert "/page/game/game.html" in page.evaluate(KEPT)


def test_new_release_changes_worker(tmp_path: Path) -> None:
    copytree(PAGE, tmp_path, dirs_exist_ok=True)
    worker = Files(tmp_path).text("shared/worker.js")
    assert worker == Files().text("shared/worker.js")
    with (tmp_path / "game/board.css").open("a") as changed:
        changed.write("/* another */")
    assert worker != Files(tmp_path).text("shared/worker.js")


def test_page_can_be_installed(page_server: Server) -> None:
    with speaking_to(page_server) as client:
        manifest = client.get("/page/shared/manifest.webmanifest").json()
        assert manifest["display"] == "standalone"
        for icon in manifest["icons"]:
            answer = client.get(icon["src"])
            assert answer.headers["Content-Type"] == icon["type"]
            if icon["type"] == "image/png":
                width, height = Image.open(BytesIO(answer.content)).size
                assert f"{width}x{height}" == icon["sizes"]


def test_result_is_shared_as_picture(people: People) -> None:
    page = people.come()
    start(page, opponent="self", n=2)
    play(page, (1, 1), (2, 1), (1, 2))
    page.locator("#share-result").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Share as a picture").click()
    assert download.value.suggested_filename == "noughts.png"
    with Image.open(download.value.path()) as picture:
        assert picture.size == (1200, 630)
