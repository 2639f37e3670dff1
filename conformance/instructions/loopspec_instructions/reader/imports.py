"""Imports: the files that a discovered file mentions, and the files that those mention."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from html import escape

from msgspec.structs import replace

from loopspec_reference.agentsmd.paths import resolve

from .files import Content
from .found import Found
from .loading import Load
from .markup import is_for_named_paths, rule_body
from .mentions import Mention, find_mentions
from .reading import LoadedFile, Reason
from .roots import find_root, is_inside, parent

_URL = re.compile(r"(?:file|https?)://")
_WORDS = {
    "import-outside": "outside the project",
    "missing-import": "no such file",
    "unreadable-import": "not a file that can be read",
}


@dataclass
class _Open:
    """A file whose mentions are being followed. `file` does not have the text with its imports yet."""

    file: LoadedFile
    text: str
    mentions: Iterator[Mention]
    footer: str = ""
    at: int = 0  # how far the text has been put out
    start: int = 0
    end: int = 0


def load_file(load: Load, found: Found) -> list[LoadedFile]:
    """Return a discovered file with its imports, or nothing if it has no text."""
    text = load.decode(found.path, found.content.data)
    load.bytes_read += len(found.content.data)
    if text is None:
        return []
    if found.is_rule and load.dialect.rules_by_level:
        if (body := rule_body(text)) is None:
            load.note("for-paths", found.path)
            return []
        text = body if body.strip() else ""
    if load.is_blank(text):
        load.note("empty", found.path)
        return []
    if load.dialect.import_repeat == "once-per-file":
        load.forget_seen()
    load.mark_seen(found.path)
    dialect = load.dialect
    is_for_paths = found.is_rule and is_for_named_paths(found.content.data, dialect)
    if is_for_paths:
        load.note("for-paths", found.path)
    is_plain = found.path.lower().endswith(dialect.plain_names) or (
        dialect.imports == "after-mention" and found.is_rule
    )
    whole = load.trimmed(text, is_global=found.is_global)
    file = LoadedFile(path=found.path, size=found.content.size, whole=whole, end=len(whole))
    if dialect.imports != "none" and not is_plain and "@" in text:
        return _Expansion(load, found).run(file, text)
    return [] if is_for_paths else [file]


@dataclass
class _Expansion:
    """The expansion of one discovered file. A stack of its own has no limit of recursion."""

    load: Load
    found: Found
    out: list[str] = field(default_factory=list)
    length: int = 0
    chain: set[str] = field(default_factory=set)
    order: list[_Open] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.after_mention = self.load.dialect.imports == "after-mention"
        self.inline = self.after_mention or self.load.dialect.imports == "inline"

    def run(self, file: LoadedFile, text: str) -> list[LoadedFile]:
        stack = [self._opened(file, text, self.found.content)]
        if self.load.dialect.import_own_file == "once-more":
            self.chain.clear()
        while stack:
            current = stack[-1]
            mention = next(current.mentions, None)
            if mention is None:
                stack.pop()
                self._close(current)
            elif (below := self._follow(current, mention)) is not None:
                stack.append(below)
        return self._files()

    def _opened(self, file: LoadedFile, text: str, content: Content) -> _Open:
        opened = _Open(file, text, iter(self._mentions(file.path, text, content)), start=self.length)
        if not (self.found.is_rule and is_for_named_paths(content.data, self.load.dialect)):
            self.order.append(opened)
        self.chain.add(file.path)
        return opened

    def _mentions(self, path: str, text: str, content: Content) -> list[Mention]:
        if "@" not in text:
            return []
        load, skipped = self.load, 0
        if load.dialect.comments == "blocks-removed":  # a tool that parses Markdown finds both in the same blocks
            whole = content.data.decode(errors="replace")
            text = load.shown(whole, with_comments=True)
            skipped = whole.count("\n") - text.count("\n")
        part = text[: load.search_left]
        load.search_left -= len(part)
        if len(part) < len(text):
            load.note("over-limit", path, line=part.count("\n") + 1)
        found = find_mentions(part, load.dialect)
        return [replace(each, line=each.line + skipped) for each in found] if skipped else found

    def _close(self, current: _Open) -> None:
        if self.inline or current.file.level == 0:
            rest = current.text[current.at :]
            self._put(rest.rstrip() if self.after_mention and current.file.level else rest)
            current.end = self.length
            self._put(current.footer)
        self.chain.discard(current.file.path)

    def _put(self, text: str) -> None:
        self.out.append(text)
        self.length += len(text)

    def _replace(self, current: _Open, mention: Mention, text: str) -> None:
        """Put a text in the place of a mention, or after the mention."""
        self._put(current.text[current.at : mention.end if self.after_mention else mention.start])
        self._put(text)
        current.at = mention.end

    def _refuse(self, current: _Open, mention: Mention, path: str, reason: Reason) -> None:
        """Note why a mention imports nothing, and leave it as text, or put a comment in its place."""
        load, dialect = self.load, self.load.dialect
        if reason == "excluded":
            load.note(reason, path)
        else:
            load.note(reason, current.file.path, line=mention.line, other=path)
        if reason == "unreadable-import" and dialect.import_unreadable == "ends":
            raise load.end(path, reason)
        left: dict[Reason, str] = {
            "import-cycle": dialect.import_cycle,
            "already-loaded": "note" if self.after_mention else "text",
            "import-outside": "text" if self.after_mention else "comment",
            "missing-import": dialect.import_missing,
            "unreadable-import": dialect.import_unreadable,
        }
        if self.inline and left.get(reason) in ("comment", "note"):
            why = _WORDS.get(reason)
            template = dialect.markers.failed if why else dialect.markers.repeated
            named = escape(path) if self.after_mention and not why else mention.path
            self._replace(current, mention, template.format(path=named, why=why))

    def _follow(self, current: _Open, mention: Mention) -> _Open | None:
        """Return the file that a mention imports, opened, or None with a note."""
        path = self._target(current, mention) if mention.place is None else mention.path
        if path is None:
            return None
        found = self._obstacle(current, mention, path) or self._content(path)
        if isinstance(found, Content):
            return self._begin(current, mention, path, found)
        self._refuse(current, mention, path, found)
        return None

    def _obstacle(self, current: _Open, mention: Mention, path: str) -> Reason | None:
        """Return why the file of a mention is not read."""
        load, dialect = self.load, self.load.dialect
        if mention.place is not None:
            return "import-in-comment" if mention.place == "comment" else "import-in-code"
        deep = 0 < dialect.import_depth <= current.file.level
        if deep and self.inline:
            return "import-too-deep"
        if load.excludes(path):
            return "excluded"
        if outside := self._outside(current, mention, path):
            return outside
        if path in self.chain:
            return "import-cycle"
        if dialect.import_repeat in ("once", "once-per-file") and load.is_seen(path):
            return "already-loaded"
        if deep:
            return "import-too-deep"
        if load.over_budget():
            return "over-budget"
        return None if load.imports_left else "over-limit"

    def _target(self, current: _Open, mention: Mention) -> str | None:
        """Return the path that a mention means, or None if it means none."""
        home, path = self.load.dialect.import_home, mention.path
        if self.load.dialect.import_fragment == "removed":
            path = path.partition("#")[0]
        if not path:
            return None
        if self.load.dialect.import_paths == "any-with-escaped-spaces":
            path = path.replace("\\ ", " ")
        if path.startswith("~/") and home == "text":
            return None
        if path.startswith("~/") and home == "loaded":
            return resolve(path[2:], self.load.home + "/")
        importer = current.file.path
        found = resolve(path, self.load.real_path(importer) if self.load.dialect.import_base == "target" else importer)
        return self.load.real_path(found) if self.after_mention else found

    @cached_property
    def boundary(self) -> str:
        """The folder from outside of which an import may be refused."""
        load, folder = self.load, parent(self.found.path)
        if self.after_mention:
            return folder if self.found.is_global else load.project
        if load.dialect.import_boundary == "working-directory":
            return load.cwd
        return find_root(load.files, load.dialect, folder) or folder

    def _outside(self, current: _Open, mention: Mention, path: str) -> Reason | None:
        """Return why an import from outside is not loaded, or None with a note on one that is."""
        load, dialect = self.load, self.load.dialect
        if self.found.is_global and dialect.import_global == "yes":
            return None
        if not (_URL.match(mention.path) or self._is_outside(path)):
            return None
        asks = dialect.import_outside == "asks"
        if dialect.import_outside != "loaded" and not (asks and load.agreed):
            return "import-unapproved" if asks else "import-outside"
        loaded: Reason = "import-agreed" if asks else "import-from-outside"
        load.note(loaded, current.file.path, line=mention.line, other=path)
        return None

    def _is_outside(self, path: str) -> bool:
        # A tool with the working directory as the boundary looks at the path as written, too.
        dialect, is_outside = self.load.dialect, not is_inside(path, self.boundary)
        if dialect.import_links != "real-path" or (dialect.import_boundary == "working-directory" and is_outside):
            return is_outside
        files = self.load.files
        try:
            return not is_inside(files.real_path(path), files.real_path(self.boundary))
        except OSError:
            return True

    def _content(self, path: str) -> Content | Reason:
        """Return the content of an imported file, or why it is not loaded."""
        self.load.imports_left -= 1
        try:
            content = self.load.read(path)
            if self.after_mention:
                content.data.decode()
        except FileNotFoundError:
            return "missing-import"
        except (OSError, UnicodeDecodeError):
            return "unreadable-import"
        return content if self.load.is_importable(path) else "import-of-type"

    def _begin(self, current: _Open, mention: Mention, path: str, content: Content) -> _Open | None:
        load = self.load
        load.mark_seen(path)
        text = load.decode(path, content.data, imported=True)
        load.bytes_read += len(content.data)
        if text is None or (not self.inline and load.is_blank(text)):
            return None
        markers = load.dialect.markers
        named = escape(path) if self.after_mention else mention.path
        if self.inline:
            self._replace(current, mention, markers.before.format(path=named))
        importer, level = current.file.path, current.file.level + 1
        file = LoadedFile(path=path, size=content.size, importer=importer, line=mention.line, level=level)
        opened = self._opened(file, text, content)
        opened.footer = markers.after.format(path=named) if self.inline else ""
        return opened

    def _files(self) -> list[LoadedFile]:
        whole = "".join(self.out)
        trimmed = self.load.trimmed(whole, is_global=self.found.is_global)
        shift = whole.index(trimmed)  # imports are counted from the start of the text
        files: list[LoadedFile] = []
        for each in self.order:
            inline = self.inline and each.file.level > 0
            text = trimmed if inline or each.file.level == 0 else self.load.trimmed(each.text)
            start, end = (each.start - shift, each.end - shift) if inline else (0, len(text))
            start, end = max(start, 0), min(max(end, 0), len(text))
            files.append(replace(each.file, whole=text, start=start, end=end, inline=inline))
        return files
