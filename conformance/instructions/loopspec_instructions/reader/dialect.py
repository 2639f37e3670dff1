"""A dialect: how one tool reads instruction files, as one value per axis."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Names = tuple[tuple[str, ...], ...]


class Markers(Struct, frozen=True, kw_only=True):
    """The lines that imports leave in a text, with `{path}` for the path as written, and `{why}` for what failed."""

    before: str = "<!-- Imported from: {path} -->\n"
    after: str = "\n<!-- End of import from: {path} -->"
    failed: str = "<!-- Import failed: {path} - {why} -->"
    repeated: str = "<!-- File already processed: {path} -->"


class Dialect(Struct, frozen=True, kw_only=True):
    """One value on each axis, and the names and numbers that belong to the values.

    "The file" is an instruction file found by discovery. An "import" is a file that another file mentions with `@`.
    The project is the folder that the axis `root` finds, else the working directory. `features/instructions/axes.toml`
    has the question of each axis, and the comments here what its values do not say.
    """

    # Names and numbers.

    # Groups of file names below a folder of the search. In a group, an earlier name precedes a later one. Groups do
    # not compete: a folder can have a file of each group. A name can have a folder, such as ".tool/AGENTS.md".
    file_names: Names
    # Groups of paths below the home folder. A group is searched like a group of file names.
    global_files: Names = ()
    # Paths below the root of the project that are loaded after all other files (axis `local_file`).
    local_files: tuple[str, ...] = ()
    # Folders below a folder of the search, with files of any name (axis `rules_folder`). With a `rules_place`, each
    # folder of the search and the home folder have them: their files follow the first `rules_place` groups of names.
    # Without it, the first and the last folder of the search have them, and their files follow all others.
    rules_folders: tuple[str, ...] = ()
    rules_place: int = 0
    # The ends of the names of rules, one for each folder, and the rules of the user, below the home folder.
    rule_endings: tuple[str, ...] = (".md",)
    user_rules: str = ""
    # The fields of the front matter of a rule that name paths, and the patterns that stand for all paths.
    rule_fields: tuple[str, ...] = ("paths",)
    every_path: tuple[str, ...] = ("**", "**/**", "/**")
    # Have the home folder and the working directory rules, one of each name, and no other folder?
    rules_once: bool = False
    # Are rules read level by level, with hidden ones and links to folders, and without front matter and text before it?
    rules_by_level: bool = False
    # Names of `file_names` that only the folders between the first and the last folder of the search have.
    names_between: tuple[str, ...] = ()
    # The start of the paths below the home folder of files that are not loaded if they are not UTF-8.
    only_utf_8: str = "\0"
    # The ends of the paths of files whose mentions are plain text, in small letters.
    plain_names: tuple[str, ...] = ()
    # Is a file name found in other letters?
    any_case: bool = False
    # Files of settings below the home folder and below the working directory, and their key with patterns of excluded
    # paths (axis `exclusions`).
    settings_files: tuple[str, ...] = ()
    exclusions_key: str = ""
    # The extensions of the files that can be imported; none for all files.
    import_extensions: tuple[str, ...] = ()
    # Bytes for all files together; 0 for no limit.
    budget: int = 0
    # The line that names a file, with `{path}`, and what stands between two files (axis `budget_counts`).
    heading: str = ""
    separator: str = "\n\n"
    # Levels of imports below a discovered file; 0 for no limit.
    import_depth: int = 0
    markers: Markers = Markers()

    # Discovery: which folders, in which order.

    # "by-path" sorts the paths by code unit. "ends-first" has the folders between the root and the working directory
    # last, the innermost first.
    order: Literal["from-root", "from-working-directory", "by-path", "as-configured", "ends-first"]
    # Is the working directory taken as written, or without links?
    working_directory: Literal["as-written", "real-path"]
    # "nearest" ends at the first folder with a file, on the way from the working directory to the root.
    walk: Literal["project-root", "above-root", "file-system-root", "nearest", "configured", "working-directory"]
    # "git-folder-or-file" is an entry .git that is no link, "git-repository" is what git itself accepts, and
    # "git-folder-or-named" also a file .git that names a folder that does not exist.
    root: Literal["git-entry", "git-folder-or-file", "git-repository", "git-folder-or-named", "nothing"]
    # "up-to-home" and "above-home" end at the home folder and at the folder above it, if they are above. "names-above"
    # is "every-folder-above" of a tool that skips files outside the project, which is the working directory here.
    no_root: Literal["working-directory", "every-folder-above", "up-to-home", "above-home", "names-above"]
    at_home: Literal["as-elsewhere", "home-alone"]
    # "hides": the root of the main repository loses the file that has the name of the file at the root of the worktree.
    # "hides-all": no folder of the main repository has files of the project.
    worktree: Literal["no", "hides", "hides-all"]
    below: Literal["no", "yes"]

    # Selection: which names, and what hides what.

    # "one-family-per-project" loads the first name of each group, but of one family alone: the first that any folder
    # has. The family of a name is its last segment up to the first dot.
    selection: Literal["first-in-folder", "one-name-per-project", "one-family-per-project", "every-name"]
    grouping: Literal["by-folder", "by-name", "as-configured", "first-name-first"]
    empty_file: Literal["hides", "next-name"]
    # "blank-loaded" loads a file of white space and skips a file of no bytes.
    blank_file: Literal["skipped", "blank-loaded", "loaded"]
    not_a_file: Literal["next-name", "hides", "ends", "pipe-ends"]
    # "drops-name": every file of the name is dropped, in all folders.
    unreadable: Literal["skipped", "next-name", "drops-name", "drops-project", "ends"]
    link_loop: Literal["skipped", "next-name", "drops-name", "drops-project", "ends"]
    through_file: Literal["next-name", "drops-name", "drops-project", "ends"]
    configured_dots: Literal["resolved", "ends", "none"]
    global_place: Literal["first", "first-of-name", "last", "none"]
    # "ends-search": the search ends before the folder of the global file, and the folders above are not searched.
    global_again: Literal["yes", "no", "ends-search", "none"]
    global_empty: Literal["hides", "next-name", "none"]
    local_file: Literal["last", "none"]
    # "same-file" knows hard links too, "same-text" compares texts.
    links: Literal["each-path", "real-path", "same-file", "same-text"]
    # "skipped" loads nothing from outside, and the link hides others. "own-folder" loads a link to a file of its own
    # folder, under the name of that file.
    outside_links: Literal["followed", "skipped", "own-folder", "ends"]

    # Text: what the model receives of a file.

    bad_bytes: Literal["replaced", "skipped", "ends"]
    # The mark of an inline import stays, if it is not "invisible-removed", which also composes characters.
    byte_order_mark: Literal["kept", "removed", "invisible-removed"]
    # "normalized" makes each of them a line feed.
    line_endings: Literal["kept", "normalized"]
    # "global-removed" is about global files.
    surrounding_space: Literal["kept", "removed", "trailing-removed", "global-removed", "line-ends-removed"]
    # "blocks-removed" removes those that are blocks of their own.
    comments: Literal["kept", "removed", "blocks-removed"]
    front_matter: Literal["kept", "removed"]

    # The budget.

    budget_order: Literal["root-first", "leaf-first", "none"]
    budget_cut: Literal["cut", "whole-files", "none"]
    budget_counts: Literal["contents", "sections", "none"]
    budget_character: Literal["replaced", "dropped", "none"]
    global_budget: Literal["counted", "not-counted", "none"]

    # Imports.

    # "after-mention" keeps the mention before the content.
    imports: Literal["none", "inline", "after", "after-mention"]
    # "after-space-or-mark" parses Markdown, and a path ends at a mark.
    import_place: Literal["anywhere", "after-space", "after-space-or-mark", "outside-words", "none"]
    # "letter-dot-or-slash" is about the first character, and the path ends at white space. The path of
    # "slash-or-extension" ends at a character other than a letter, a digit and "_.~/-". The path of
    # "any-with-escaped-spaces" begins with an ASCII letter, a digit or one of "._-~/", and ends at white space that has
    # no backslash before it. The path of "slash-or-dot" ends before white space and before one of <>"'`@.
    import_paths: Literal[
        "letter-dot-or-slash", "slash-or-extension", "any-with-escaped-spaces", "slash-or-dot", "none"
    ]
    # "between-backticks" knows backticks only, not Markdown.
    # "skipped-outside-lists" knows no code in lists, in tables and in block quotes with several marked lines.
    # "spans-in-lists" knows no code spans in lists. "line-by-line" looks for the end of a span in the same line.
    import_code: Literal[
        "skipped", "skipped-outside-lists", "spans-in-lists", "between-backticks", "line-by-line", "expanded", "none"
    ]
    # The axis `import_code` says where code is known.
    import_indented: Literal["skipped", "expanded", "none"]
    import_comment: Literal["skipped", "expanded", "none"]
    import_html: Literal["skipped", "expanded", "none"]
    import_fragment: Literal["kept", "removed", "none"]
    import_base: Literal["link", "target", "none"]
    import_missing: Literal["text", "comment", "warning", "silent", "none"]
    import_unreadable: Literal["text", "comment", "warning", "silent", "ends", "none"]
    import_boundary: Literal["project", "working-directory", "none"]
    import_global: Literal["no", "yes", "none"]
    # "asks" loads the file if the user has agreed.
    import_outside: Literal["refused", "asks", "loaded", "none"]
    import_links: Literal["as-written", "real-path", "none"]
    import_home: Literal["text", "relative", "loaded", "none"]
    import_repeat: Literal["again", "once", "once-per-file", "none"]
    import_cycle: Literal["comment", "warning", "silent", "note", "none"]
    import_own_file: Literal["never", "once-more", "none"]
