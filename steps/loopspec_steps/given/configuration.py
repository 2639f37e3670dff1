"""Given: the configuration of the AgentsMD middleware."""

from __future__ import annotations

from ..builders.scene import SceneBuilder
from ..cells import names
from ..phrasebook import given


@given("no configuration")
def no_configuration(scene_builder: SceneBuilder) -> None:
    """The handler is created without a configuration object."""
    scene_builder.has_config = False


@given("no backend")
def no_backend(scene_builder: SceneBuilder) -> None:
    """The configuration has no backend."""
    scene_builder.has_backend = False


@given("no list of files")
def no_list_of_files(scene_builder: SceneBuilder) -> None:
    """The configuration has no list of files."""
    scene_builder.configured = None


@given("the configured files {paths}")
def configured_files(scene_builder: SceneBuilder, paths: str) -> None:
    """The list of files in the configuration, in order. The files need not exist."""
    scene_builder.configured = list(names(paths))


@given("a byte limit of {limit:d}")
def byte_limit(scene_builder: SceneBuilder, limit: int) -> None:
    """The byte limit in the configuration."""
    scene_builder.max_bytes = limit


@given("no warning callback")
def no_warning_callback(scene_builder: SceneBuilder) -> None:
    """The configuration has no callback for warnings."""
    scene_builder.callback = False


@given("the log is captured")
def log_is_watched(scene_builder: SceneBuilder) -> None:
    """The harness reads the log that receives warnings by default. Needs the capability default-warning-sink."""
    scene_builder.reads_log = True


@given('the language is "{language}"')
def language_is(scene_builder: SceneBuilder, language: str) -> None:
    """The language is chosen before the handler is created."""
    scene_builder.languages.append(language)


@given('the language is then changed to "{language}"')
def then_language_is(scene_builder: SceneBuilder, language: str) -> None:
    """A second language is chosen right after the first."""
    scene_builder.languages.append(language)
