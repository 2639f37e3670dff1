"""An adapter for a package that exists only here, and a folder of wheels that stands for a package index."""

from __future__ import annotations

import zipfile
from importlib.metadata import distribution
from pathlib import Path

# The stores of versions 0.9 and 1.1 change line endings, and that of version 2.0 has another name.
_CHANGES = "class Store(dict):\n    kept = staticmethod(lambda content: content.replace(b'\\r\\n', b'\\n'))\n"
_STORES = {
    "0.9": _CHANGES,
    "1.0": "class Store(dict):\n    kept = staticmethod(lambda content: content)\n",
    "1.1": _CHANGES,
    "2.0": "class Files(dict): pass\n",
}
_ADAPTER = """\
from importlib.metadata import version

from fakestore import Store


class Opened:
    def __init__(self, files):
        self.files = Store(files)

    def read(self, request):
        if request.file_path not in self.files:
            raise FileNotFoundError(request.file_path)
        content = self.files.kept(self.files[request.file_path])
        return content.upper() if content == b'no line end' else content


class Fake:
    name, version = "fakestore", version("fakestore")

    def open(self, files):
        return Opened(files)
"""
_KNOWN = r"""language = "python"
package = "fakestore"

[packages]
fakestore = "1.0"

[[targets]]
name = "fake"
target = "py:fake_adapter:Fake"
roles = ["backend"]
baseline = "baseline.toml"

[[targets.deselect]]
case = "AMD-BACKEND-05 :: A *"
reason = "left out for this test"

[[targets.gaps]]
before = "1.0"
cases = ['AMD-BACKEND-12 :: A file that holds "One\r\nTwo\r\n"']
reason = "a gap for this test"
"""
_BASELINE = """\
[[known]]
case = 'AMD-BACKEND-12 :: A file that holds "no line end"'
reason = "known for this test"
"""


def write_adapter(root: Path) -> None:
    """Write the adapter `fake` into a folder of adapters: one case of version 1.0 fails, and is known."""
    folder = root / "fake"
    folder.mkdir(parents=True)
    (folder / "known.toml").write_text(_KNOWN, encoding="utf-8")
    (folder / "baseline.toml").write_text(_BASELINE, encoding="utf-8")
    (folder / "fake_adapter.py").write_text(_ADAPTER, encoding="utf-8")


def write_witness(folder: Path, cause: str, program: str) -> None:
    """Write a witness of the adapter `fake`; the first one is about the known case, any other one about another."""
    (folder / "witnesses").mkdir(exist_ok=True)
    (folder / "witnesses" / f"{cause}.py").write_text(program, encoding="utf-8")
    baseline = folder / "baseline.toml"
    text = baseline.read_text("utf-8")
    if f'"{cause}"' in text:
        return
    if "cause" in text:
        entry = f'\n[[known]]\ncause = "{cause}"\ncase = "AMD-BACKEND-01"\nreason = "another one"\n'
        baseline.write_text(text + entry, encoding="utf-8")
    else:
        baseline.write_text(text.replace("[[known]]\n", f'[[known]]\ncause = "{cause}"\n'), encoding="utf-8")


def write_index(folder: Path) -> None:
    """Write wheels of every version of the package, and of the package that the kit needs."""
    for version, text in _STORES.items():
        _write_wheel(folder, "fakestore", version, "py3-none-any", {"fakestore.py": text.encode()})
    installed = distribution("msgspec")
    files = {
        path.as_posix(): Path(str(installed.locate_file(path))).read_bytes()
        for path in installed.files or ()
        if path.parts[0] == "msgspec" and path.suffix != ".pyc"
    }
    tag = next(line for line in (installed.read_text("WHEEL") or "").splitlines() if line.startswith("Tag: "))
    _write_wheel(folder, "msgspec", installed.version, tag.removeprefix("Tag: "), files)


def _write_wheel(folder: Path, name: str, version: str, tag: str, files: dict[str, bytes]) -> None:
    of = f"{name}-{version}.dist-info"
    texts = {
        f"{of}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{of}/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: {tag}\n",
    }
    files = files | {path: text.encode() for path, text in texts.items()}
    files[f"{of}/RECORD"] = "".join(f"{path},,\n" for path in [*files, f"{of}/RECORD"]).encode()
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / f"{name}-{version}-{tag}.whl", "w") as archive:
        for path, content in files.items():
            archive.writestr(path, content)
