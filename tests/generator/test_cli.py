"""The command line: exit codes, all files or none, diffs, and messages instead of tracebacks."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from jaxscipy_codegen import cli, write

SPEC = """\
module: mine
title: Mine
functions:
  my_j0: {summary: J0., host: scipy.special.j0, args: {x: {derivative: {rule: -my_j1(x), source: DLMF 10.6.3}}}}
  my_j1: {summary: J1., host: scipy.special.j1, args: {x: {derivative: {unavailable: not here}}}}
"""


@pytest.fixture(autouse=True)
def no_shipped_specs(monkeypatch, tmp_path_factory):
    """These tests are about files, not about the shipped functions."""
    folder = tmp_path_factory.mktemp("specs")
    monkeypatch.setattr("jaxscipy_codegen._resources.specs", lambda: folder)
    return folder


@pytest.fixture
def spec(tmp_path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(SPEC)
    return path


def files(folder: Path) -> dict[str, str]:
    return {p.relative_to(folder).as_posix(): p.read_text() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_generate_then_nothing_to_do(spec, tmp_path, capsys):
    out = tmp_path / "package"
    assert cli.main(["generate", str(spec), "--out", str(out)]) == 0
    assert capsys.readouterr().out == "wrote package/mine.py\nwrote package/__init__.py\n"
    before = files(tmp_path)
    assert set(before) == {"mine.yaml", "package/__init__.py", "package/mine.py"}
    assert cli.main(["generate", str(spec), "--out", str(out)]) == 0
    assert capsys.readouterr().out == "everything is up to date\n"
    assert cli.main(["generate", str(spec), "--out", str(out), "--check"]) == 0
    assert files(tmp_path) == before
    assert b"\r" not in (out / "mine.py").read_bytes()
    assert (out / "mine.py").stat().st_mode & 0o444 == 0o444


def test_check_prints_a_diff_and_writes_nothing(spec, tmp_path, capsys):
    out = tmp_path / "package"
    cli.main(["generate", str(spec), "--out", str(out)])
    (out / "mine.py").write_text((out / "mine.py").read_text().replace("my_j1: -my_j1", "my_j1: my_j1"))
    before = files(tmp_path)
    capsys.readouterr()
    assert cli.main(["generate", str(spec), "--out", str(out), "--check"]) == 1
    output, error = capsys.readouterr()
    assert "--- a/package/mine.py\n+++ b/package/mine.py\n" in output
    assert '\n-        "x": at((my_j1, x), lambda my_j1: my_j1),' in output
    assert '\n+        "x": at((my_j1, x), lambda my_j1: -my_j1),' in output
    assert "1 file(s) differ; run\n    jaxscipy-ext generate" in error
    assert files(tmp_path) == before


def test_mistakes_are_all_printed_and_nothing_is_written(spec, tmp_path, capsys):
    spec.write_text(SPEC.replace("rule: -my_j1(x)", "rule: my_j1(x)"))
    other = tmp_path / "other.yaml"
    other.write_text(
        "module: other\ntitle: O\nfunctions:\n  f: {summary: s., host: numpy.sin, args: {x: {derivative: {rule: x}}}}\n"
    )
    out = tmp_path / "package"
    assert cli.main(["generate", str(spec), str(other), "--out", str(out)]) == 2
    error = capsys.readouterr().err
    assert "mine.yaml:4:" in error
    assert "other.yaml:4:" in error
    assert "2 mistakes; nothing was written" in error
    assert not out.exists()


def test_files_of_others_are_not_overwritten(spec, tmp_path, capsys):
    out = tmp_path / "package"
    out.mkdir()
    (out / "mine.py").write_text("important = 1\n")
    assert cli.main(["generate", str(spec), "--out", str(out)]) == 2
    assert "was not written by jaxscipy-ext; move it away" in capsys.readouterr().err
    assert files(out) == {"mine.py": "important = 1\n"}


def test_folders_that_cannot_be_written_are_sentences(spec, tmp_path, capsys, monkeypatch):
    (tmp_path / "file").write_text("")
    assert cli.main(["generate", str(spec), "--out", str(tmp_path / "file" / "sub")]) == 2
    assert "Not a directory; choose another folder with --out" in capsys.readouterr().err

    def denied(**options):
        raise PermissionError(13, "Permission denied", f"{options['dir']}/x")

    (tmp_path / "out").mkdir()
    monkeypatch.setattr("tempfile.mkstemp", denied)  # what root may do anyway
    assert cli.main(["generate", str(spec), "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert (
        "out/mine.py: Permission denied; choose another folder with --out, or its permissions\nnothing was written"
        in error
    )
    assert files(tmp_path / "out") == {}


def test_a_signal_between_two_files_waits(tmp_path, monkeypatch):
    found, original = changes(tmp_path), os.replace

    def interrupting(*args):
        original(*args)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(os, "replace", interrupting)
    write.apply(found)
    assert set(files(tmp_path)) == {"a.py", "sub/b.py"}


def test_hosts_are_not_imported_by_list(spec, tmp_path, capsys, monkeypatch):
    (tmp_path / "loud_host.py").write_text("raise SystemExit(3)\n")
    monkeypatch.syspath_prepend(tmp_path)
    spec.write_text(SPEC.replace("scipy.special.j0", "loud_host.j0"))
    assert cli.main(["list", str(spec)]) == 0
    assert cli.main(["generate", str(spec), "--out", str(tmp_path / "o")]) == 2
    assert "functions.my_j0.host: loud_host can't be imported (SystemExit: 3); install it" in capsys.readouterr().err


def test_without_out_it_says_what_to_write(spec, capsys):
    assert cli.main(["generate", str(spec)]) == 2
    assert "write --out DIR" in capsys.readouterr().err


def test_a_missing_file_is_a_sentence(tmp_path, capsys):
    assert cli.main(["generate", str(tmp_path / "nowhere.yaml"), "--out", str(tmp_path / "o")]) == 2
    error = capsys.readouterr().err
    assert "nowhere.yaml" in error
    assert "Traceback" not in error


def test_list(spec, capsys):
    assert cli.main(["list", str(spec)]) == 0
    header, *lines = capsys.readouterr().out.splitlines()
    assert header.split() == ["function", "argument", "way", "rule", "or", "reason", "source"]
    assert lines[0].split() == ["my_j0", "x", "given", "-my_j1(x)", "DLMF", "10.6.3"]
    assert lines[1].split() == ["my_j1", "x", "unavailable", "not", "here"]
    assert cli.main(["list", "my_j1", str(spec)]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["function", "my_j1"]
    assert cli.main(["list", "my_j2", str(spec)]) == 2
    assert "no function my_j2; did you mean my_j" in capsys.readouterr().err
    assert cli.main(["list", "--json", str(spec)]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows[0]["arguments"]["x"] == {
        "domain": "real", "way": "given", "rule": "-my_j1(x)", "source": "DLMF 10.6.3", "reason": None
    }  # fmt: skip
    assert (rows[0]["dtypes"], rows[0]["host"], rows[0]["since"]) == (["float32", "float64"], "scipy.special.j0", None)


def test_usage_errors_exit_with_2(capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main(["generat"])
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--help"])


@pytest.mark.parametrize("missing", ["jinja2", "sympy", "yaml", "pydantic", "mpmath"])
def test_without_the_extra_it_explains_what_to_install(missing, tmp_path):
    (tmp_path / f"{missing}.py").write_text(f"raise ModuleNotFoundError('No module named {missing}', name='{missing}')")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    command = [sys.executable, "-m", "jaxscipy_codegen"]
    run = subprocess.run([*command, "generate"], env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert f"needs {missing}" in run.stderr
    assert 'pip install "jaxscipy_ext[generate]"' in run.stderr
    assert "Traceback" not in run.stderr
    assert subprocess.run([*command, "--help"], env=environment, capture_output=True, check=False).returncode == 0


# --------------------------------------------------------------------------------------------------- all or none


def changes(folder: Path) -> list[write.Change]:
    new = {folder / "a.py": f"{write.HEADER}new a\n", folder / "sub" / "b.py": f"{write.HEADER}new b\n"}
    return write.changes(new, (folder,))


def test_what_other_specs_have_made_is_not_left_out(spec, tmp_path, capsys):
    out = str(tmp_path / "out")
    assert cli.main(["generate", str(spec), "--out", out]) == 0
    before, other = files(tmp_path / "out"), tmp_path / "other.yaml"
    other.write_text(spec.read_text().replace(f"module: {spec.stem}", "module: other").replace("my_", "your_"))
    assert cli.main(["generate", str(other), "--out", out]) == 2
    assert f"out holds {spec.stem}.py too, generated from {spec.name}, and its new" in capsys.readouterr().err
    assert files(tmp_path / "out") == before
    assert cli.main(["generate", str(other), str(spec), "--out", out]) == 0
    assert set(files(tmp_path / "out")) == {"__init__.py", "other.py", f"{spec.stem}.py"}


def test_a_folder_without_specs_is_a_mistake(tmp_path, capsys):
    (tmp_path / "specs").mkdir()
    assert cli.main(["generate", str(tmp_path / "specs"), "--out", str(tmp_path / "out")]) == 2
    assert "specs:1:1: the folder holds no *.yaml file; write the path" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_stale_modules_go_and_others_stay(tmp_path):
    (tmp_path / "stale.py").write_text(f"{write.HEADER}old\n")
    (tmp_path / "mine.py").write_text("x = 1\n")
    write.apply(changes(tmp_path))
    assert set(files(tmp_path)) == {"a.py", "mine.py", "sub/b.py"}


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError("disk full")])
@pytest.mark.parametrize("at", [0, 1])
def test_an_interruption_leaves_everything_as_it_was(tmp_path, monkeypatch, error, at):
    (tmp_path / "a.py").write_text(f"{write.HEADER}old a\n")
    (tmp_path / "stale.py").write_text(f"{write.HEADER}old\n")
    before, found, count = files(tmp_path), changes(tmp_path), 0
    original = os.replace

    def failing(*args):
        nonlocal count
        count += 1
        if count > at:
            raise error
        original(*args)

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(write.NotWritable if isinstance(error, OSError) else error):
        write.apply(found)
    assert files(tmp_path) == before
    assert not (tmp_path / "sub").exists()


def test_an_unlink_that_fails_undoes_what_was_written(tmp_path, monkeypatch):
    (tmp_path / "stale.py").write_text(f"{write.HEADER}old\n")
    before, found = files(tmp_path), changes(tmp_path)
    original = Path.unlink

    def failing(path, *args, **options):
        if path.name == "stale.py":
            raise PermissionError("no")
        original(path, *args, **options)

    monkeypatch.setattr(Path, "unlink", failing)
    with pytest.raises(write.NotWritable, match=r"can't write .*; choose another folder"):
        write.apply(found)
    assert files(tmp_path) == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_while_generating(tmp_path, number):
    """A real signal to a real process: exit code 130, a sentence, no file and no process."""
    entries = "".join(
        f"  f{k}: {{summary: s., host: scipy.special.j0, args: {{x: {{derivative: {{rule: -g(x)}}}}}}}}\n"
        for k in range(1500)
    )
    spec = tmp_path / "many.yaml"
    last = "  g: {summary: s., host: scipy.special.j1, args: {x: {derivative: {unavailable: no}}}}\n"
    spec.write_text(f"module: many\ntitle: T\nfunctions:\n{entries}{last}")
    script = (
        "import signal, sys; from jaxscipy_codegen import cli, _resources; from pathlib import Path\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a job in the background ignores it
        f"_resources.specs = lambda: Path({str(tmp_path / 'none')!r})\n"
        "cli.generate.progress = lambda text: print(text, flush=True)\n"
        f"sys.exit(cli.main(['generate', {str(spec)!r}, '--out', {str(tmp_path / 'out')!r}]))"
    )
    (tmp_path / "none").mkdir()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        [sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert "many: f0" in process.stdout.readline()
    process.send_signal(number)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130, error
    assert "interrupted; nothing was written" in error
    assert "Traceback" not in error
    assert {path.name for path in tmp_path.iterdir()} == {"many.yaml", "none"}
