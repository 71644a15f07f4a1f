"""The built site in a real browser: nothing fails to load, nothing sticks out, mathematics and search work offline.

python -m sphinx -W docs docs/_build/html
python -m pytest tests/docs/test_site.py        # screenshots: docs/_build/screenshots
"""

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "docs" / "_build" / "html"
SHOTS = ROOT / "docs" / "_build" / "screenshots"
BROWSER = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-browser")
PAGES = {
    "home": "index.html",
    "tutorial": "tutorial/fit-a-profile.html",
    "family": "reference/families/bessel.html",
    "status": "status.html",
}
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]

if not (SITE / "index.html").exists():
    pytest.skip("no built site: python -m sphinx -W docs docs/_build/html", allow_module_level=True)
if BROWSER is None:
    pytest.skip("no Chromium on PATH", allow_module_level=True)
sync_api = pytest.importorskip("playwright.sync_api", reason='no Playwright: pip install "jaxscipy_ext[docs]"')


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    handler = functools.partial(Quiet, directory=str(SITE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    # Playwright's own event loop must not see the proxies of the environment.
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=BROWSER, args=FLAGS, env={k: v for k, v in os.environ.items() if "proxy" not in k.lower()}
        )
        yield chromium
        chromium.close()


@pytest.fixture
def complaints() -> list[str]:
    return []


def opened(browser: Any, url: str, complaints: list[str], width: int, scheme: str = "light") -> Any:
    """A page, and in `complaints` whatever the browser complains about or fetches from elsewhere."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.on("console", lambda m: complaints.append(f"console: {m.text}") if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
    page.on("requestfailed", lambda request: complaints.append(f"failed: {request.url}"))
    page.on("response", lambda r: complaints.append(f"{r.status}: {r.url}") if r.status >= 400 else None)
    host = url.split("/")[2]
    page.on(
        "request",
        lambda r: (
            complaints.append(f"foreign: {r.url}")
            if not r.url.startswith(("data:", "blob:")) and r.url.split("/")[2] != host
            else None
        ),
    )
    page.goto(url, wait_until="networkidle")
    return page


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("name", PAGES)
def test_page(name: str, width: int, browser: Any, address: str, complaints: list[str]) -> None:
    for scheme in ("light", "dark"):
        page = opened(browser, f"{address}/{PAGES[name]}", complaints, width, scheme)
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
        assert page.evaluate("document.documentElement.scrollWidth") <= width, "the page is wider than the window"
        broken = "[...document.images].filter(i => !(i.complete && i.naturalWidth)).map(i => i.src)"
        page.evaluate("document.querySelectorAll('img').forEach(i => { i.loading = 'eager' })")
        page.wait_for_load_state("networkidle")
        assert page.evaluate(broken) == []
        cut = """[...document.querySelectorAll('.bd-article table, .bd-article .math, .bd-article pre')]
            .filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.textContent.slice(0, 80))"""
        assert page.evaluate(cut) == []
        if name in ("tutorial", "family"):
            assert page.locator("mjx-container").count() > 3
            assert page.locator("mjx-merror").count() == 0
        SHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SHOTS / f"{name}-{width}-{scheme}.png")
        page.close()
    assert not complaints


@pytest.mark.slow
@pytest.mark.parametrize("way", ["server", "files"])
def test_search_finds_kv(way: str, browser: Any, address: str, complaints: list[str]) -> None:
    start = address if way == "server" else SITE.as_uri()
    page = opened(browser, f"{start}/search.html?q=kv", complaints, 1280)
    first = page.locator("#search-results a").first
    first.wait_for(timeout=20_000)
    page.wait_for_load_state("networkidle")
    results = page.locator("#search-results li a").evaluate_all("links => links.map(link => link.href)")
    SHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SHOTS / f"search-{way}.png")
    assert any(link.endswith("reference/families/bessel.html#jaxscipy_ext.kv") for link in results[:3]), results[:5]
    page.close()
    assert not complaints
