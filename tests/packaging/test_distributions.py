"""What the source distribution and the wheels hold, and that they work away from the checkout."""

import email
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NO_COMPILER = {"CXX": "/no/compiler"}
LIBRARY = "jaxscipy_ext/native/jaxscipy_ext_native"


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=cwd,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_installed(*command: str | Path, site: Path, cwd: Path) -> str:
    """Run with a folder as site-packages, on top of this environment without what editable installs hook into it."""
    packages = [str(site), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    return run("-S", *command, cwd=cwd, PYTHONPATH=os.pathsep.join(packages))


def build(kind: str, source: Path, out: Path, **environment: str) -> Path:
    """Call the build backend as pip does, with the packages of this environment instead of downloaded ones."""
    out.mkdir(exist_ok=True)
    backend = f"import scikit_build_core.build as b; print(b.build_{kind}({str(out)!r}))"
    return out / run("-c", backend, cwd=source, **environment).splitlines()[-1]


@pytest.fixture(scope="session")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="session")
def source(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked source distribution: whatever is built from it doesn't depend on the checkout."""
    folder = tmp_path_factory.mktemp("source")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    return next(folder.iterdir())


@pytest.fixture(scope="session")
def pure_wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", source, tmp_path_factory.mktemp("pure"), JAXSCIPY_EXT_NATIVE="0")


def names(archive: Path) -> set[str]:
    with zipfile.ZipFile(archive) as files:
        return set(files.namelist())


def sources(folder: str) -> set[str]:
    """Files of a package below the checkout, relative to it."""
    suffixes = {".py", ".typed", ".yaml", ".jinja"}
    return {
        path.relative_to(ROOT / folder).as_posix() for path in (ROOT / folder).rglob("*") if path.suffix in suffixes
    }


def test_source_distribution_holds_all_that_a_build_and_the_tests_need(source: Path) -> None:
    for folder in ("jaxscipy_ext", "generator/jaxscipy_codegen", "specs", "templates", "tests"):
        missing = [name for name in sources(folder) if not (source / folder / name).is_file()]
        assert not missing
    for name in ("pyproject.toml", "README.md", "LICENSE", "jaxscipy_ext/native/CMakeLists.txt"):
        assert (source / name).is_file(), name
    built = [path.name for path in source.rglob("*") if path.suffix in {".so", ".o", ".pyc"}]
    assert not built


def test_only_the_two_packages_land_in_site_packages(pure_wheel: Path) -> None:
    top = {name.split("/")[0] for name in names(pure_wheel)}
    assert {name for name in top if not name.endswith(".dist-info")} == {"jaxscipy_ext", "jaxscipy_codegen"}
    assert len(top) == 3


def test_wheel_holds_every_module_spec_and_template(pure_wheel: Path) -> None:
    expected = {f"jaxscipy_ext/{name}" for name in sources("jaxscipy_ext")}
    expected |= {f"jaxscipy_codegen/{name}" for name in sources("generator/jaxscipy_codegen")}
    expected |= {f"jaxscipy_codegen/{folder}/{name}" for folder in ("specs", "templates") for name in sources(folder)}
    assert expected <= names(pure_wheel)
    assert not [name for name in names(pure_wheel) if name.endswith((".cc", ".h", "CMakeLists.txt"))]


def test_generator_dependencies_are_optional(pure_wheel: Path) -> None:
    with zipfile.ZipFile(pure_wheel) as files:
        name = next(name for name in files.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = email.message_from_bytes(files.read(name))
    required = {
        entry.split(";")[0].split(">")[0] for entry in metadata.get_all("Requires-Dist", []) if "extra" not in entry
    }
    assert required == {"jax", "jaxlib", "numpy", "scipy"}
    assert {"generate", "test", "docs"} <= set(metadata.get_all("Provides-Extra", []))


def test_pure_wheel_says_so_in_its_tag(pure_wheel: Path) -> None:
    assert pure_wheel.name.endswith("-py3-none-any.whl")
    assert not [name for name in names(pure_wheel) if name.startswith(LIBRARY)]


def test_without_a_compiler_the_build_falls_back_to_the_pure_wheel(source: Path, tmp_path: Path) -> None:
    wheel = build("wheel", source, tmp_path / "out", **NO_COMPILER, JAXSCIPY_EXT_NATIVE="")
    assert wheel.name.endswith("-py3-none-any.whl")


def test_native_on_request_makes_a_failed_build_an_error(source: Path, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="CMake configuration failed"):
        build("wheel", source, tmp_path / "out", **NO_COMPILER, JAXSCIPY_EXT_NATIVE="1")


@pytest.mark.slow
@pytest.mark.skipif(not (shutil.which("c++") and shutil.which("cmake")), reason="no C++ compiler or no CMake on PATH")
def test_native_wheel_fits_every_python_and_its_library_is_used(source: Path, tmp_path: Path) -> None:
    wheel = build("wheel", source, tmp_path / "out", JAXSCIPY_EXT_NATIVE="1")
    assert "-py3-none-" in wheel.name
    assert not wheel.name.endswith("-any.whl")
    assert [name for name in names(wheel) if name.startswith(LIBRARY)]
    with zipfile.ZipFile(wheel) as files:
        files.extractall(tmp_path / "site")
    status = "from jaxscipy_ext.runtime import native; print(native.status().available)"
    assert run_installed("-c", status, site=tmp_path / "site", cwd=tmp_path).strip() == "True"


def test_wheel_works_away_from_the_checkout(pure_wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    with zipfile.ZipFile(pure_wheel) as files:
        files.extractall(site)

    def installed(*command: str | Path) -> str:
        return run_installed(*command, site=site, cwd=tmp_path)

    assert str(site) in installed("-c", "import jaxscipy_ext; print(jaxscipy_ext.__file__)")
    assert "vmap of grad" in installed("-m", "jaxscipy_ext")
    spec = min((site / "jaxscipy_codegen/specs").glob("*.yaml"), key=lambda path: path.stat().st_size)
    installed("-m", "jaxscipy_codegen", "generate", spec, "--out", "again")
    assert (tmp_path / "again" / f"{spec.stem}.py").is_file()


@pytest.mark.parametrize("page", ["your-own-functions", "a-scalar-routine", "a-random-sampler"])
def test_a_new_user_follows_the_pages_with_the_wheel_alone(page: str, pure_wheel: Path, tmp_path: Path) -> None:
    """`new`, edit, `generate`, `import`, `grad`, word for word, in an empty folder away from the checkout."""
    site = tmp_path / "site"
    with zipfile.ZipFile(pure_wheel) as files:
        files.extractall(site)
    packages = os.pathsep.join([str(site), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")])
    environment = {"PYTHONPATH": packages, "JAXSCIPY_EXT_PAGES_INSTALLED": "1", "XLA_FLAGS": ""}
    script = ROOT / "tests" / "docs" / "pages.py"
    out = run("-S", script, ROOT / "docs" / "how-to" / f"{page}.md", cwd=tmp_path, **environment)
    assert " 0 wrong" in out, out
    assert str(site) in run("-S", "-c", "import jaxscipy_codegen as g; print(g.__file__)", cwd=tmp_path, **environment)


def test_editable_install_is_a_list_of_two_folders_and_finds_specs_and_templates(source: Path, tmp_path: Path) -> None:
    wheel = build("editable", source, tmp_path / "out", JAXSCIPY_EXT_NATIVE="0")
    shim = {name for name in names(wheel) if ".dist-info/" not in name}
    assert all(name.startswith("_editable_") for name in shim), shim
    with zipfile.ZipFile(wheel) as files:
        paths = [line for name in shim if name.endswith(".pth") for line in files.read(name).decode().splitlines()]
    folders = [line for line in paths if line and not line.startswith("import ")]
    assert folders == [str(source), str(source / "generator")]
    found = "from jaxscipy_codegen import _resources as r; print(r.specs(), r.templates())"
    assert run_installed("-c", found, site=source / "generator", cwd=tmp_path).split() == [
        str(source / "specs"),
        str(source / "templates"),
    ]


def test_generated_files_are_marked_for_reviewers() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    generated = [path for path in ROOT.glob("jaxscipy_ext/**/*.py") if path.read_text().startswith("# Generated by")]
    assert generated
    answer = subprocess.run(
        ["git", "check-attr", "linguist-generated", "--", *map(str, generated)],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    unmarked = [line for line in answer.splitlines() if not line.endswith(": set")]
    assert not unmarked
