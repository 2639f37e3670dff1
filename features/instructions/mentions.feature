Feature: Mentions and Markdown
  A mention can stand between marks of Markdown: in bold words, in the label of a Markdown link, in a comment, in an HTML
  element. A path can have a fragment, as in a Markdown link to a section, and a mentioned file can be a picture.
  An imported file can mention further files, and several files can mention the same file.

  {name} stands for the usual file name of the tool, for example AGENTS.md.

  @INS-IMPORT-35 @clarified @axis:import-place=after-space-or-mark
  Rule: In a dialect with import-place=after-space-or-mark, a mention is an import at the start of a line or after white space, an asterisk, an underscore, a bracket, a backtick or a tag

    Scenario Outline: A mention after <before>, which is an import
      Given the Git repository "project"
      And the workspace file "project/notes.md"
      And the workspace file "project/{name}" containing "<text>\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

      Examples:
        | before                    | text                  |
        | a line break              | @./notes.md           |
        | a space                   | See @./notes.md       |
        | two asterisks             | See **@./notes.md**   |
        | an underscore             | See _@./notes.md_     |
        | the bracket of a link     | See [@./notes.md](x)  |
        | the tag of an element     | See <b>@./notes.md</b> |
        | a code span               | See `x`@./notes.md    |

    Scenario Outline: A mention after <before>, which is plain text
      Given the Git repository "project"
      And the workspace files "project/notes.md", "project/other.md"
      And the workspace file "project/{name}" containing "<text>\n@./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

      Examples:
        | before            | text            |
        | a letter          | See@./other.md  |
        | a parenthesis     | (@./other.md)   |
        | an apostrophe     | '@./other.md'   |

  @INS-IMPORT-36 @clarified @axis:import-code=spans-in-lists
  Rule: In a dialect with import-code=spans-in-lists, mentions in code are plain text, except in code spans of a list

    Scenario Outline: A mention in <code> is plain text
      Given the Git repository "project"
      And the workspace files "project/code.md", "project/notes.md"
      And the workspace file "project/{name}" containing "Notes\n\n<text>\n\nSee @./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

      Examples:
        | code                            | text                                    |
        | a code span                     | Use `cat @./code.md -n` here.           |
        | a fence of tildes               | ~~~\ncat @./code.md\n~~~                |
        | a fence in a list               | - Run:\n\n  ```\n  cat @./code.md\n  ``` |
        | a code span of a quote in a list | - > Use `cat @./code.md -n` here.       |

    Scenario: A mention in a code span of a list is an import
      Given the Git repository "project"
      And the workspace files "project/code.md", "project/notes.md"
      And the workspace file "project/{name}" containing "Notes\n\n- Use `cat @./code.md -n` here.\n\nSee @./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/code.md", "project/notes.md"

  @INS-IMPORT-37 @clarified @axis:import-comment=skipped
  Rule: In a dialect with import-comment=skipped, mentions in HTML comments are plain text

    Scenario Outline: A mention in a comment, <place>
      Given the Git repository "project"
      And the workspace files "project/hidden.md", "project/notes.md"
      And the workspace file "project/{name}" containing "Notes\n\n<text>\n\nSee @./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

      Examples:
        | place                 | text                               |
        | on a line of its own  | <!-- see @./hidden.md here -->     |
        | within a sentence     | Ask <!-- see @./hidden.md --> us.  |

  @INS-IMPORT-38 @clarified @axis:import-comment=expanded
  Rule: In a dialect with import-comment=expanded, mentions in HTML comments are imports

    Scenario: A mention in a comment on a line of its own
      Given the Git repository "project"
      And the workspace file "project/hidden.md"
      And the workspace file "project/{name}" containing "Notes\n\n<!-- see @./hidden.md here -->\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/hidden.md"

  @INS-IMPORT-39 @clarified @axis:import-html=skipped
  Rule: In a dialect with import-html=skipped, mentions in HTML blocks are plain text

    Scenario: A mention in an element with lines of its own, and a mention between two such elements
      Given the Git repository "project"
      And the workspace files "project/hidden.md", "project/notes.md"
      And the workspace file "project/{name}" containing "<div>\n@./hidden.md\n</div>\n\n<p>\n\n@./notes.md\n\n</p>\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

  @INS-IMPORT-40 @clarified @axis:import-html=expanded
  Rule: In a dialect with import-html=expanded, mentions in HTML blocks are imports

    Scenario: A mention in an element with lines of its own
      Given the Git repository "project"
      And the workspace file "project/notes.md"
      And the workspace file "project/{name}" containing "Notes\n\n<div>\n@./notes.md\n</div>\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

  @INS-IMPORT-41 @clarified @axis:import-types=any
  Rule: In a dialect with import-types=any, a file with any extension is imported

    Scenario Outline: A file with the extension <extension>, imported
      Given the Git repository "project"
      And the workspace file "project/notes<extension>"
      And the workspace file "project/{name}" containing "@./notes<extension>\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes<extension>"

      Examples:
        | extension |
        | .md       |
        | .mdc      |
        | .png      |

  @INS-IMPORT-42 @clarified @axis:import-types=text
  Rule: In a dialect with import-types=text, a file with an extension is imported only if the extension is in the list of text files

    Scenario Outline: A file with the extension <extension> of the list
      Given the Git repository "project"
      And the workspace file "project/notes<extension>"
      And the workspace file "project/{name}" containing "@./notes<extension>\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes<extension>"

      Examples:
        | extension |
        | .MD       |
        | .toml     |
        | .py       |

    Scenario Outline: A file with the extension <extension>, which is not in the list
      Given the Git repository "project"
      And the workspace files "project/notes", "project/notes<extension>"
      And the workspace file "project/{name}" containing "@./notes<extension>\n@./notes\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes"

      Examples:
        | extension |
        | .png      |
        | .mdc      |
        | .notes    |

  @INS-IMPORT-43 @clarified @axis:import-fragment=kept
  Rule: In a dialect with import-fragment=kept, a mention such as "@notes.md#style" imports the file named "notes.md#style"

    Scenario: A file without a fragment, and a file whose name contains "#"
      Given the Git repository "project"
      And the workspace files "project/notes.md", "project/notes.md#style"
      And the workspace file "project/{name}" containing "@./notes.md#style\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md#style"

  @INS-IMPORT-44 @clarified @axis:import-fragment=removed
  Rule: In a dialect with import-fragment=removed, a mention such as "@notes.md#style" imports the file named "notes.md"

    Scenario: A file without a fragment, imported, and a file whose name contains "#"
      Given the Git repository "project"
      And the workspace files "project/notes.md", "project/notes.md#style"
      And the workspace file "project/{name}" containing "@./notes.md#style\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

  @INS-IMPORT-45 @clarified @axis:import-base=link
  Rule: In a dialect with import-base=link, the imports of an instruction file that is a symbolic link are relative to the folder of the link

    Scenario: A link to a file in another folder, with an import
      Given the Git repository "project"
      And the workspace file "project/docs/main.md" containing "@./notes.md\n"
      And the workspace files "project/notes.md", "project/docs/notes.md"
      And a symbolic link from "project/{name}" to "docs/main.md"
      When the tool reads the workspace
      Then the loaded files are "project/docs/main.md", "project/notes.md"

  @INS-IMPORT-46 @clarified @axis:import-base=target
  Rule: In a dialect with import-base=target, the imports of an instruction file that is a symbolic link are relative to the folder of the link's target

    Scenario: A link to a file in another folder, with an import from that folder
      Given the Git repository "project"
      And the workspace file "project/docs/main.md" containing "@./notes.md\n"
      And the workspace files "project/notes.md", "project/docs/notes.md"
      And a symbolic link from "project/{name}" to "docs/main.md"
      When the tool reads the workspace
      Then the loaded files are "project/docs/main.md", "project/docs/notes.md"

  @INS-IMPORT-53 @clarified @axis:import-place=outside-words
  Rule: In a dialect with import-place=outside-words, a mention is an import after any character but an ASCII letter, a digit and one of "._%+-"

    Scenario Outline: A mention after <before>, outside words
      Given the Git repository "project"
      And the workspace file "project/notes.md"
      And the workspace file "project/{name}" containing "<text>\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

      Examples:
        | before               | text               |
        | a parenthesis        | See (@./notes.md)  |
        | an apostrophe        | See '@./notes.md'  |
        | an asterisk          | *@./notes.md *     |
        | a slash              | /@./notes.md       |
        | another letter       | é@./notes.md       |

    Scenario Outline: A mention after <before>, within a word
      Given the Git repository "project"
      And the workspace files "project/notes.md", "project/other.md"
      And the workspace file "project/{name}" containing "<text>\n@./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

      Examples:
        | before        | text          |
        | a letter      | n@./other.md  |
        | a digit       | 1@./other.md  |
        | a full stop   | .@./other.md  |
        | an underscore | _@./other.md  |
        | a hyphen      | -@./other.md  |
        | a plus        | +@./other.md  |

  @INS-IMPORT-54 @clarified @axis:import-paths=slash-or-dot
  Rule: In a dialect with import-paths=slash-or-dot, a mention is an import only if its path has a slash or a dot

    Scenario: A path without a slash and without a dot
      Given the Git repository "project"
      And the workspace files "project/notes", "project/docs/notes", "project/notes.xyz"
      And the workspace file "project/{name}" containing "@notes\n@docs/notes\n@notes.xyz\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/docs/notes", "project/notes.xyz"

    Scenario Outline: A path before <after>
      Given the Git repository "project"
      And the workspace file "project/notes.md"
      And the workspace file "project/{name}" containing "See @notes.md<mark> there\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

      Examples:
        | after         | mark |
        | a comma       | ,    |
        | a parenthesis | ).   |
        | an apostrophe | 'x   |

  @INS-IMPORT-56 @clarified @axis:import-code=line-by-line
  Rule: In a dialect with import-code=line-by-line, a mention is plain text in fenced code or after a backtick, up to the matching backtick or the end of the line

    Scenario Outline: A mention that is plain text: <place>
      Given the Git repository "project"
      And the workspace files "project/code.md", "project/notes.md"
      And the workspace file "project/{name}" containing "Notes\n\n<text>\n\nSee @./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

      Examples:
        | place                            | text                                     |
        | a code span                      | Use `cat @./code.md -n` here.            |
        | a span of two backticks          | Use ``cat ` @./code.md`` here.           |
        | after a backtick alone           | A ` and @./code.md                       |
        | a fence of tildes                | ~~~\ncat @./code.md\n~~~                 |
        | a fence in a list                | - Run:\n\n  ```\n  cat @./code.md\n  ``` |
        | a fence of tildes with backticks | ~~~\n```\ncat @./code.md\n~~~            |

    Scenario Outline: A mention that is an import: <place>
      Given the Git repository "project"
      And the workspace file "project/notes.md"
      And the workspace file "project/{name}" containing "Notes\n\n<text>\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

      Examples:
        | place                                 | text                            |
        | after a code span                     | See `x` and @./notes.md         |
        | in the line after a backtick          | A ` and\n@./notes.md `          |
        | after a fence that a short one closes | ````\nx\n```\n@./notes.md\n```` |

  @INS-IMPORT-55 @clarified @axis:import-depth=8
  Rule: In a dialect with import-depth=8, only imports up to eight levels deep are loaded

    Scenario: A chain of nine imports
      Given the Git repository "project"
      And workspace files with contents
        | path           | content |
        | project/{name} | @./1.md |
        | project/1.md   | @./2.md |
        | project/2.md   | @./3.md |
        | project/3.md   | @./4.md |
        | project/4.md   | @./5.md |
        | project/5.md   | @./6.md |
        | project/6.md   | @./7.md |
        | project/7.md   | @./8.md |
        | project/8.md   | @./9.md |
        | project/9.md   | Be rich |
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/1.md", "project/2.md", "project/3.md", "project/4.md", "project/5.md", "project/6.md", "project/7.md", "project/8.md"
      And the loaded text contains "@./9.md"

  @INS-IMPORT-57 @clarified @axis:import-repeat=once-per-file
  Rule: In a dialect with import-repeat=once-per-file, a file that an instruction file imports twice is loaded once for this instruction file

    Scenario: Two mentions of a file in one instruction file
      Given the Git repository "project"
      And the workspace file "project/notes.md"
      And the workspace file "project/{name}" containing "@./notes.md\n@./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

    Scenario: Two instruction files that import the same file
      Given the Git repository "project"
      And the workspace file "project/notes.md"
      And the workspace file "project/{name}" containing "@./notes.md\n"
      And the workspace file "project/a/{name}" containing "@../notes.md\n"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md", "project/a/{name}", "project/notes.md"

    Scenario: An import of the instruction file of the folder below, which is loaded twice
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "@./a/{name}\n"
      And the workspace file "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/a/{name}", "project/a/{name}"
