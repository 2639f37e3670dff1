"""A Python object as a target: its declarations, its driver, and its closing."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Mapping
from types import SimpleNamespace

import pytest
from syrupy.assertion import SnapshotAssertion

from loopspec import AdapterError, Identity, Message, Posture, Stage, TargetUnusable
from loopspec.contract.observation import RunEnd
from loopspec.contract.roles import Role
from loopspec.contract.scene import Change, Run, Scene
from loopspec.contract.values import Began
from loopspec.targets.python import PythonTarget
from loopspec_adapting import AgentAdapter

from ..staging import performed, target_of

RUN = Run(id="1")


def nothing(*_: object) -> object:
    """A method that does nothing."""
    return [], []


@pytest.mark.parametrize(
    ("members", "roles"),
    [
        ({"open": nothing}, {"backend"}),
        ({"load": nothing}, {"loader"}),
        ({"middleware": nothing}, {"middleware"}),
        ({"perform": nothing, "load": nothing, "open": "no method"}, {"agent", "loader"}),
        ({"perform": nothing, "load": nothing, "roles": ["agent"]}, {"agent"}),
    ],
)
def test_the_roles_are_the_methods_unless_they_are_declared(members: dict[str, object], roles: set[Role]) -> None:
    """A declaration can omit a role whose method exists."""
    assert target_of(**members).roles == roles


WRONG_DECLARATIONS: list[dict[str, object]] = [
    {"load": nothing, "roles": ["reader"]},
    {"load": nothing, "roles": ["zzz"]},
    {"load": nothing, "roles": ["loader", "agent"]},
    {"load": nothing, "preform": nothing, "roles": ["loader", "agent"]},
    {"x": 1},
    {"opn": nothing},
    {"load": nothing, "roles": []},
    {"load": nothing, "capabilties": ("edits",)},
    {"load": nothing, "capabilities": ["zooming", "edits"]},
    {"load": nothing, "capabilities": ["line-range"]},
    {"load": nothing, "capabilities": ["language-zh"]},
    {"load": nothing, "error_kinds": {LookupError: "not_exists"}},
    {"load": nothing, "error_kinds": {LookupError: 404}},
]


def test_declarations_are_checked(snapshot: SnapshotAssertion) -> None:
    """The error is raised when the target is built."""

    def sentence(members: dict[str, object]) -> str:
        with pytest.raises(TargetUnusable) as error:
            target_of(**members)
        return re.sub("function nothing at 0x[0-9a-f]+", "function nothing", str(error.value))

    assert [sentence(members) for members in WRONG_DECLARATIONS] == snapshot


@pytest.mark.parametrize(
    "members", [{"role": "assistant"}, {"capability": None}, {"_capabilties": ()}, {"files": {}}, {"loads": nothing}]
)
def test_a_name_of_the_authors_own_is_accepted(members: dict[str, object]) -> None:
    """It resembles no known name, is private, or has a value that the known name cannot have."""
    assert target_of(load=nothing, **members).roles == {"loader"}


def test_a_misspelled_name_is_found_in_each_class_of_the_author() -> None:
    """An adapter inherits the right name from the toolkit, and may inherit the wrong one from a class of its own."""

    class Shared(AgentAdapter[Message]):
        error_kind: Mapping[type[Exception], str] = {}

    class Mine(Shared):
        pass

    with pytest.raises(TargetUnusable, match=r"made here has `error_kind`, .*: did you mean `error_kinds`\?"):
        PythonTarget(Mine, "made here")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (LookupError("no"), "LookupError: no"),
        (SystemExit("no"), "SystemExit: no"),
        (ValueError("nope\nsecond line"), "ValueError: nope second line"),
    ],
)
def test_a_factory_that_fails_makes_the_target_unusable(error: BaseException, said: str) -> None:
    """The reason is in one sentence and in the cause; the exception may have several lines."""

    def factory() -> object:
        raise error

    place = r"\(tests/conformance/targets/test_python_target.py:\d+ in .*factory\)"
    with pytest.raises(TargetUnusable, match=rf"^the factory made here failed: {said} {place}$") as raised:
        PythonTarget(factory, "made here")

    assert raised.value.__cause__ is error


def test_ctrl_c_in_a_factory_is_raised() -> None:
    """The exception is raised to the caller."""

    def factory() -> object:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        PythonTarget(factory, "made here")


def test_an_object_may_have_a_name_and_a_version() -> None:
    """Without a name, the target string is the name."""
    named = target_of(load=nothing, name="mine", version=2, capabilities=("edits",))

    assert (named.identity, named.capabilities) == (Identity(name="mine", version="2"), frozenset({"edits"}))
    assert target_of(load=nothing).identity == Identity(name="made here")


def test_a_rebuilt_target_is_a_new_object() -> None:
    """A rebuilt target has no state of the earlier one."""
    made: list[SimpleNamespace] = []

    def factory() -> object:
        made.append(SimpleNamespace(load=nothing, version=len(made)))
        return made[-1]

    target = PythonTarget(factory, "made here")

    assert [target.identity.version, target.rebuilt().identity.version] == ["0", "1"]


def test_an_agent_performs_as_a_coroutine() -> None:
    """The coroutine receives the stage; an exception of the coroutine is the adapter's fault."""

    async def act_out(stage: Stage) -> None:
        with stage.runs.running(stage.scene.runs[0]):
            raise PermissionError("of the run")
        raise LookupError("of the adapter")

    with pytest.raises(AdapterError, match="the adapter of made here failed: LookupError: of the adapter"):
        performed(Scene(act="run", runs=(RUN,)), "agent", perform=act_out)


def test_the_log_is_recorded_while_a_scene_is_performed() -> None:
    """Warnings and errors of all loggers are recorded during a scene, and not afterward."""
    log = logging.getLogger("mine")

    async def act_out(stage: Stage) -> None:
        log.warning("left out: %s", "/p/a.md")
        log.info("not a warning")

    seen = performed(Scene(act="run"), "agent", perform=act_out)
    handlers = list(logging.getLogger().handlers)
    log.warning("after the end")

    assert seen.log == ("left out: /p/a.md",)
    assert [handler for handler in handlers if type(handler).__module__.startswith("loopspec")] == []


def speaker(chosen: list[str | None]) -> Callable[[str | None], None]:
    """A `set_language` that knows two languages."""

    def set_language(language: str | None) -> None:
        if language not in ("en", "zh", None):
            raise LookupError(language)
        chosen.append(language)

    return set_language


def test_the_scene_chooses_the_language_and_the_default_is_restored() -> None:
    """Only a target with the capability is called."""
    scene = Scene(act="run", languages=("zh", "tlh"), changes=(Change(at=Began(run="1"), language="en"),), runs=(RUN,))
    chosen: list[str | None] = []

    async def act_out(stage: Stage) -> None:
        with stage.runs.running(RUN):
            pass

    seen = performed(scene, "agent", perform=act_out, set_language=speaker(chosen), capabilities=["language-zh"])
    performed(Scene(act="run"), "agent", perform=act_out, set_language=speaker(chosen))

    assert (seen.languages, chosen) == (("tlh",), ["zh", "en", None])
    assert seen.runs == (RunEnd(n=0, run="1"),)


@pytest.mark.parametrize("kinds", [{int: "other"}, {"Refused": "other"}, ["other"], None])
def test_the_keys_of_error_kinds_are_exception_classes(kinds: object) -> None:
    """A class that is no exception would never match."""
    sentence = "error_kinds of made here must map exception classes to kinds, as in {MyError: 'not_exist'}"
    with pytest.raises(TargetUnusable, match=f"^{re.escape(sentence)}$"):
        target_of(load=nothing, error_kinds=kinds)


@pytest.mark.parametrize("what", ["roles", "capabilities"])
@pytest.mark.parametrize("names", [None, "edits", 1, (1,)])
def test_declarations_are_tuples_of_names(what: str, names: object) -> None:
    """The error is one sentence; a string is not a tuple of its letters."""
    with pytest.raises(TargetUnusable, match=f"^{what} of made here must be a tuple of names$"):
        target_of(load=nothing, **{what: names})


@pytest.mark.filterwarnings("error")
def test_a_factory_must_be_synchronous() -> None:
    """The coroutine is closed."""

    async def factory() -> object:
        return SimpleNamespace(load=nothing)

    with pytest.raises(TargetUnusable, match=r"^the factory made here is an async def: make it a plain one"):
        PythonTarget(factory, "made here")


def test_set_language_must_be_synchronous() -> None:
    """A coroutine would choose no language, and every case would run in the wrong one."""

    async def set_language(language: str | None) -> None: ...

    with pytest.raises(TargetUnusable, match=r"^set_language\(\) of made here must not be an async def"):
        target_of(load=nothing, set_language=set_language, capabilities=["language-zh"])
    target_of(load=nothing, set_language=set_language)


@pytest.mark.parametrize("error", [ValueError("x\ny"), SystemExit("x y")])
def test_a_failing_close_is_only_reported(error: BaseException, capsys: pytest.CaptureFixture[str]) -> None:
    """The verdict is not changed."""

    def close() -> None:
        raise error

    target_of(load=nothing, close=close).close()

    sentence = f"loopspec: close() of made here failed: {type(error).__name__}: x y\n"
    assert capsys.readouterr() == ("", sentence)


def test_close_may_use_the_loop_of_the_scenes() -> None:
    """The loop is still open."""
    loops: list[object] = []

    async def act_out(stage: Stage) -> None:
        loops.append(asyncio.get_running_loop())

    async def close() -> None:
        await asyncio.sleep(0)
        loops.append(asyncio.get_running_loop())

    performed(Scene(act="run"), "agent", perform=act_out, close=close)

    assert len(loops) == 2
    assert loops[0] is loops[1]


def test_the_postures_are_declared() -> None:
    """A target without the attribute has the default value of every axis."""
    reversed_ = {"after-order": Posture("reversed", measured=True)}

    assert target_of(load=nothing).postures == {}
    assert target_of(load=nothing, postures=reversed_).postures == reversed_


@pytest.mark.parametrize("postures", [{"after-order": "reversed"}, ("after-order",)])
def test_postures_of_another_form_make_the_target_unusable(postures: object) -> None:
    """The sentence shows the right form."""
    right = "{'after-order': Posture('reversed', link='https://…')}"
    sentence = f"postures of made here must map axes to loopspec.Posture, as in {right}"
    with pytest.raises(TargetUnusable, match=f"^{re.escape(sentence)}$"):
        target_of(load=nothing, postures=postures)
