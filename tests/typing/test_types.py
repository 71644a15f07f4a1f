"""Every public function is typed; a strict checker and an editor see types, names of outputs and docstrings."""

import inspect
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import scipy.special

import jaxscipy_ext as jse
from jaxscipy_ext import composed

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PUBLIC = sorted(name for name in dir(scipy.special) if not name.startswith("_") and callable(getattr(jse, name, None)))
TABLES = [name for name in vars(composed) if name.endswith("_zeros") or name.startswith("roots_")]
PYTHON = {"pythonPath": sys.executable}
CHECKER = shutil.which("basedpyright", path=Path(sys.executable).parent)
needs_checker = pytest.mark.skipif(CHECKER is None, reason='no basedpyright: pip install "jaxscipy_ext[lint]"')


@pytest.mark.parametrize("name", PUBLIC)
def test_every_argument_and_result_is_annotated(name: str) -> None:
    signature = inspect.signature(getattr(jse, name))
    assert signature.return_annotation is not signature.empty
    assert all(p.annotation is not p.empty for p in signature.parameters.values())


@pytest.mark.parametrize("name", TABLES)
def test_declared_signatures_are_those_of_scipy(name: str) -> None:
    ours, scipys = (inspect.signature(getattr(module, name)) for module in (jse, scipy.special))
    assert [(p.name, p.default) for p in ours.parameters.values()] == [
        (p.name, p.default) for p in scipys.parameters.values()
    ]


@needs_checker
def test_the_strict_checker_accepts_what_users_write_and_refuses_mistakes() -> None:
    command = [str(CHECKER), "--project", str(HERE), "--pythonpath", sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout


@needs_checker
def test_hovering_shows_signature_and_docstring(tmp_path: Path) -> None:
    lines = ["import jaxscipy_ext as jse", "jse.kv(1.5, 2.0)", "jse.airy(1.0)", "jse.jn_zeros(0, 3)"]
    shown = [hover(tmp_path, lines, line, 5) for line in (1, 2, 3)]
    assert "v: ArrayLike" in shown[0] and "-> Array" in shown[0]
    assert "Modified Bessel function of the second kind" in shown[0]
    assert "AiryResult" in shown[1]
    assert "n: int" in shown[2] and "positive zeros" in shown[2]


def hover(folder: Path, lines: list[str], line: int, character: int) -> str:
    """What an editor shows there, by the language server protocol."""
    (folder / "user.py").write_text("\n".join(lines))
    settings = {"extraPaths": [str(ROOT)]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    uri = (folder / "user.py").as_uri()
    server = subprocess.Popen(
        [str(Path(str(CHECKER)).with_name("basedpyright-langserver")), "--stdio"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        root = {"rootUri": folder.as_uri(), "processId": None, "capabilities": {}}
        ask(server, "initialize", root | {"workspaceFolders": [{"uri": folder.as_uri(), "name": "user"}]}, 1)
        send(server, "initialized", {})
        document = {"uri": uri, "languageId": "python", "version": 1, "text": "\n".join(lines)}
        send(server, "textDocument/didOpen", {"textDocument": document})
        position = {"line": line, "character": character}
        answer = ask(server, "textDocument/hover", {"textDocument": {"uri": uri}, "position": position}, 2)
        return answer["contents"]["value"]
    finally:
        server.kill()
        server.wait()


def send(server: subprocess.Popen[bytes], method: str, params: Any, number: int | None = None) -> None:
    message = {"jsonrpc": "2.0", "method": method, "params": params} | ({} if number is None else {"id": number})
    reply(server, message)


def reply(server: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
    body = json.dumps(message).encode()
    assert server.stdin
    server.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    server.stdin.flush()


def ask(server: subprocess.Popen[bytes], method: str, params: Any, number: int) -> Any:
    """Send a request and wait for its answer; requests of the server's own, for settings, get ours."""
    send(server, method, params, number)
    assert server.stdout
    while True:
        length = 0
        while (header := server.stdout.readline().strip()) != b"":
            if header.lower().startswith(b"content-length:"):
                length = int(header.split(b":")[1])
        message = json.loads(server.stdout.read(length))
        if "method" in message and "id" in message:
            items = (message.get("params") or {}).get("items", [])
            reply(server, {"jsonrpc": "2.0", "id": message["id"], "result": [PYTHON for _ in items] if items else None})
        elif message.get("id") == number:
            return message["result"]
