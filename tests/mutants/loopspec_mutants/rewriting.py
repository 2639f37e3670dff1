"""Texts of modules that are replaced for a while, without a second copy of a module.

Functions and classes keep their identity, so whatever has imported them sees the change: a function gets the code of
the changed function. A changed variable has its new value in its own module.
"""

from __future__ import annotations

import ast
import gc
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import _lru_cache_wrapper, cache, partial
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from msgspec import Struct

_MISSING = object()
_CHOOSE = "loopspec: the function that chooses"
_CODE = ("__code__", "__defaults__", "__kwdefaults__")
_Code = tuple[Any, ...]  # the values of these attributes; Any: each has a type of its own


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """A text of a file and its replacement. The path of the file begins with its package."""

    file: str
    old: str
    new: str


class LostError(Exception):
    """A change does not fit the code of today."""


class Changes:
    """What the execution of changed statements replaces: functions, each with its code before, and named values."""

    def __init__(self) -> None:
        self.functions: dict[FunctionType, _Code] = {}
        self.values: list[str] = []


class Rewriting:
    """The changes that make a mutant. Each call returns a context in which they hold.

    `origin` names the mutant and its file in errors. A call raises `LostError` for a change that does not fit its file,
    and for changes without a meaning.
    """

    def __init__(self, name: str, sentence: str, changes: Iterable[Change], source: str = "") -> None:
        self.__name__ = name.replace("-", "_")
        self.origin = f"{source}: {name}" if source else name
        self.sentence = sentence
        self.changes = tuple(changes)
        self._codes: dict[str, CodeType] = {}

    def __call__(self) -> AbstractContextManager[object]:
        """Return a context in which the changes hold."""
        return _executed(self._compiled(), Changes())

    @contextmanager
    def sometimes(self, is_wrong: Callable[[FunctionType], bool]) -> Iterator[None]:
        """Hold the changes in each call of a changed function for which `is_wrong` is true; it is given the function.

        Raises `LostError` if the changes are not all in functions: a value cannot depend on the moment of a call.
        """
        with ExitStack() as stack:
            for function, right in stack.enter_context(self._in_functions()).items():
                stack.enter_context(_choosing(function, right, partial(is_wrong, function)))
            yield

    def functions(self) -> tuple[FunctionType, ...]:
        """The functions that the changes are in. Raises `LostError` as `sometimes` does."""
        with self._in_functions() as changed:
            return tuple(changed)

    @contextmanager
    def _in_functions(self) -> Iterator[Mapping[FunctionType, _Code]]:
        """Hold the changes, which must all be in functions; yield these with their code before."""
        changes = Changes()
        with _executed(self._compiled(), changes):
            if changes.values or not changes.functions:
                raise LostError(f"{self.origin} changes {', '.join(changes.values) or 'nothing'}, and no function")
            yield changes.functions

    def _compiled(self) -> Mapping[str, CodeType]:
        """The changed statements of each module."""
        if not self._codes:
            self._codes = {_module(file): self._code(file) for file in self.files}
        return self._codes

    @property
    def files(self) -> tuple[str, ...]:
        """The changed files, each once."""
        return tuple(dict.fromkeys(change.file for change in self.changes))

    def check(self) -> None:
        """Raise `LostError` if a change does not fit its file, or has no meaning."""
        for file in self.files:
            self._code(file)

    def text(self, file: str) -> str:
        """The changed text of a file. Raises `LostError` if a change does not fit the file."""
        _, text, _ = _source(file)
        for change in self.changes:
            if change.file == file:
                text = self._replaced(text, change)
        return text

    def _code(self, file: str) -> CodeType:
        """The changed statements of a file."""
        path, before, tree = _source(file)
        text = self.text(file)
        try:
            changed = _changed(tree, before.split("\n"), _parsed(text), text.split("\n"))
        except SyntaxError as error:
            raise LostError(f"{self.origin}: the changed text of {file} is no Python: {error}") from error
        if not changed:
            raise LostError(f"{self.origin} does not change the meaning of {file}")
        return compile(ast.Module([*_FUTURE, *changed], []), path, "exec")

    def _replaced(self, text: str, change: Change) -> str:
        found = text.count(change.old)
        if found == 1:
            return text.replace(change.old, change.new)
        contains = f"contains {found} times" if found else "no longer contains"
        raise LostError(f"{self.origin}: {change.file} {contains} {change.old!r}; the refactoring lost this mutant")


def _parsed(text: str) -> ast.Module:
    """The syntax tree of a module.

    A collection inside `ast.parse` may log the lost task of a mutant, and the traceback of that is parsed too: CPython
    3.11 and 3.12 then raise a SystemError about the recursion depth.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(text)
    finally:
        if was_enabled:
            gc.enable()


_Block = ast.Module | ast.ClassDef
_FUTURE = _parsed("from __future__ import annotations").body


def _module(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def _source(file: str) -> tuple[str, str, ast.Module]:
    """The path, the text and the syntax tree of a file."""
    spec = find_spec(_module(file))
    if spec is None or spec.origin is None:
        raise LostError(f"no package has the file {file}")
    text = Path(spec.origin).read_text(encoding="utf-8")
    return spec.origin, text, _parsed(text)


def _changed(old: _Block, before: Sequence[str], new: _Block, now: Sequence[str]) -> list[ast.stmt]:
    """The statements of `new` that `old` does not have. A class that both have keeps its changed members only.

    `before` and `now` are the lines of their files.
    """
    known = {_written(one, before) for one in old.body}
    rewritten = [one for one in new.body if _written(one, now) not in known]
    meanings = {_meaning(one) for one in old.body} if rewritten else set()
    classes = {one.name: one for one in old.body if isinstance(one, ast.ClassDef)}
    found = [one for one in rewritten if ast.dump(one) not in meanings]
    for one in found:
        if isinstance(one, ast.ClassDef) and one.name in classes:
            one.body = _changed(classes[one.name], before, one, now)
            one.bases, one.keywords, one.decorator_list = [], [], []
    return found


def _written(one: ast.stmt, lines: Sequence[str]) -> tuple[str, ...]:
    """The lines of a statement, with its decorators. Most statements are as before: to compare dumps takes longer."""
    first = min([one.lineno, *(each.lineno for each in getattr(one, "decorator_list", ()))])
    return tuple(lines[first - 1 : one.end_lineno])


_meaning = cache(ast.dump)  # of the statements of today, which many mutants change


@contextmanager
def _executed(codes: Mapping[str, CodeType], changes: Changes) -> Iterator[None]:
    """Execute the changed statements of modules; at the end, the modules are as before."""
    packages = {name.rpartition(".")[0] or name for name in codes}
    with ExitStack() as stack:
        stack.callback(_forget, packages)
        for name, code in codes.items():
            module = vars(import_module(name))
            before = dict(module)
            exec(code, module)
            changed = {name: value for name, value in module.items() if before.get(name, _MISSING) is not value}
            for variable, value in changed.items():
                old = before.get(variable, _MISSING)
                stack.callback(_restore, module, variable, old)
                if old is not _MISSING and _transplanted(stack, old, value, changes):
                    module[variable] = old
                elif old is not _MISSING:
                    changes.values.append(variable)
        _forget(packages)
        yield


def _forget(packages: Iterable[str]) -> None:
    """Empty the caches of packages: what they kept does not hide a change, and what it led to does not stay."""
    for kept in chain.from_iterable(map(_caches, packages)):
        kept.cache_clear()


@cache
def _caches(package: str) -> tuple[_lru_cache_wrapper[Any], ...]:
    """Those that the modules define which are imported when the first module of the package changes."""
    modules = {name: vars(one) for name, one in sys.modules.items() if f"{name}.".startswith(f"{package}.")}
    found = ((name, each) for name, members in modules.items() for each in members.values())
    return tuple(one for name, one in found if isinstance(one, _lru_cache_wrapper) and one.__module__ == name)


def _restore(module: dict[str, Any], name: str, old: object) -> None:
    if old is _MISSING:
        del module[name]
    else:
        module[name] = old


def _transplanted(stack: ExitStack, old: object, new: object, changes: Changes) -> bool:
    """Give an old function or class the code of a new one, where it can take the code."""
    if isinstance(old, type) and isinstance(new, type):
        for name, member in vars(new).items():
            if inspect.isroutine(member) or isinstance(member, property) or not name.startswith("__"):
                _give_member(stack, old, name, member, changes)
        return True
    mine, theirs = _function(old), _function(new)
    if mine is None or theirs is None or len(mine.__code__.co_freevars) != len(theirs.__code__.co_freevars):
        return False
    changes.functions[mine] = _code_of(mine)
    for attribute in _CODE:
        stack.callback(setattr, mine, attribute, getattr(mine, attribute))
        setattr(mine, attribute, getattr(theirs, attribute))
    return True


def _give_member(stack: ExitStack, to: type, name: str, member: object, changes: Changes) -> None:
    old = vars(to).get(name, _MISSING)
    if type(old) is type(member) and _transplanted(stack, old, member, changes):
        return
    if old is _MISSING:
        stack.callback(delattr, to, name)
    else:
        changes.values.append(name)
        stack.callback(setattr, to, name, old)
    setattr(to, name, member)


def _function(made: object) -> FunctionType | None:
    """The function in a method or a property."""
    if isinstance(made, property):
        made = made.fget
    elif isinstance(made, classmethod | staticmethod):
        made = made.__func__
    found = inspect.unwrap(made) if callable(made) else made
    return found if isinstance(found, FunctionType) else None


def _code_of(function: FunctionType) -> _Code:
    return tuple(getattr(function, attribute) for attribute in _CODE)


@contextmanager
def watched(functions: Iterable[FunctionType], note: Callable[[FunctionType], object]) -> Iterator[None]:
    """Call `note` at each call of one of these functions, which are otherwise as before."""

    def noted(function: FunctionType) -> bool:
        note(function)
        return False

    with ExitStack() as stack:
        for function in functions:
            stack.enter_context(_choosing(function, _code_of(function), partial(noted, function)))
        yield


@contextmanager
def _choosing(function: FunctionType, right: _Code, is_wrong: Callable[[], bool]) -> Iterator[None]:
    """Let each call of a function choose between its code before and its code of now, which is the wrong one."""
    wrong = _code_of(function)
    one, other = (_copied(function, code) for code in (right, wrong))

    def choose(*args: object, **kwargs: object) -> object:
        return (other if is_wrong() else one)(*args, **kwargs)

    code = _caller(function.__code__.co_freevars)
    constants = tuple(choose if one == _CHOOSE else one for one in code.co_consts)
    _set_code(function, (code.replace(co_consts=constants), None, None))
    try:
        yield
    finally:
        _set_code(function, wrong)


@cache
def _caller(free: tuple[str, ...]) -> CodeType:
    """The code of a function that passes its arguments to the constant `_CHOOSE`, with these free variables."""
    bound = "".join(f"    {name} = None\n" for name in free)
    used = "".join(f"            {name}\n" for name in free)
    made: dict[str, Any] = {}
    exec(
        f"def outer():\n{bound}    def call(*args, **kwargs):\n        if False:\n            pass\n{used}"
        f"        choose = {_CHOOSE!r}\n        return choose(*args, **kwargs)\n    return call",
        made,
    )
    code = made["outer"]().__code__
    assert isinstance(code, CodeType)
    return code


def _copied(function: FunctionType, code: _Code) -> FunctionType:
    made = FunctionType(code[0], function.__globals__, function.__name__, code[1], function.__closure__)
    made.__kwdefaults__ = code[2]
    return made


def _set_code(function: FunctionType, code: _Code) -> None:
    for attribute, value in zip(_CODE, code, strict=True):
        setattr(function, attribute, value)
