"""Given: what the handler is told."""

from __future__ import annotations

from ..builders.scene import Draft
from ..cells import names
from ..phrasebook import given


@given("no configuration")
def no_configuration(draft: Draft) -> None:
    """The handler is created without any configuration object."""
    draft.has_config = False


@given("no backend")
def no_backend(draft: Draft) -> None:
    """The configuration names no backend."""
    draft.has_backend = False


@given("no list of files")
def no_list_of_files(draft: Draft) -> None:
    """The configuration has no list of files at all."""
    draft.configured = None


@given("the configured files {paths}")
def configured_files(draft: Draft, paths: str) -> None:
    """The list of files in the configuration, in this order. Whether they exist is another matter."""
    draft.configured = list(names(paths))


@given("a byte limit of {limit:d}")
def byte_limit(draft: Draft, limit: int) -> None:
    """The limit in the configuration."""
    draft.max_bytes = limit


@given("nobody takes the warnings")
def nobody_takes_warnings(draft: Draft) -> None:
    """The configuration names no callback for warnings."""
    draft.callback = False


@given("the log is watched")
def log_is_watched(draft: Draft) -> None:
    """Somebody looks at where warnings go by default. Needs the capability default-warning-sink."""
    draft.reads_log = True


@given('the language is "{language}"')
def language_is(draft: Draft, language: str) -> None:
    """The language is chosen before anything is created."""
    draft.languages.append(language)


@given('then the language is "{language}"')
def then_language_is(draft: Draft, language: str) -> None:
    """And another one right after it."""
    draft.languages.append(language)
