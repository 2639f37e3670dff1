Feature: Imports in instruction files
  An instruction file can mention another file as "@path". Some tools import the mentioned file: the model receives
  its content in place of the mention, or after the importing file. For other tools a mention is plain text.

  Tools that import files differ in what a mention is, above all in code, where "@name" can mean something else. A
  code span is code between backticks in a line. Fenced code is between two lines of three backticks or three tildes.
  Indented code is a paragraph that is indented by four spaces.

  The home folder of an example is the folder "home", which is outside the project.

  {name} stands for the usual file name of the tool, for example AGENTS.md.

  @INS-IMPORT-01 @clarified @axis:imports=none
  Rule: In a dialect with imports=none, a mention of a file in an instruction file is plain text, wherever the mention is

    Scenario Outline: A mention of a file that exists, <place>
      Given the Git repository "project"
      And the workspace file "project/notes.md"
      And the workspace file "project/{name}" containing "<text>\n"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"
      And the loaded text contains "<text>"

      Examples:
        | place                     | text                      |
        | within a sentence         | before @./notes.md after  |
        | on a line of its own      | @./notes.md               |
        | without a dot and a slash | @notes.md                 |
        | in a list                 | - one\n- @notes.md\n- two |

  @INS-IMPORT-02 @clarified @axis:imports=inline
  Rule: In a dialect with imports=inline, the content of an imported file takes the place of the mention

    Scenario: A mention between two words
      Given the Git repository "project"
      And the workspace file "project/notes.md" with nothing but "Be brief."
      And the workspace file "project/{name}" containing "before @./notes.md after\n"
      When the tool reads the workspace
      Then the loaded text contains, in this order, "before", "Be brief." and "after"
      And the loaded text does not contain "@./notes.md"

    Scenario: An imported file that imports a file, relative to its own folder
      Given the Git repository "project"
      And the workspace file "project/docs/style.md" with nothing but "Be brief."
      And the workspace file "project/docs/notes.md" with nothing but "first @./style.md last"
      And the workspace file "project/{name}" containing "@./docs/notes.md\n"
      When the tool reads the workspace
      Then the loaded text contains, in this order, "first", "Be brief." and "last"

  @INS-IMPORT-03 @clarified @axis:imports=after
  Rule: In a dialect with imports=after, an imported file is loaded after the importing file, whose text is not changed

    Scenario: A mention between two words of the importing file
      Given the Git repository "project"
      And the workspace file "project/notes.md" with nothing but "Be brief."
      And the workspace file "project/{name}" containing "before @./notes.md after\n"
      When the tool reads the workspace
      Then the loaded text contains, in this order, "before @./notes.md", "after" and "Be brief."

    Scenario: A file with an import, and a file in the folder below
      Given the Git repository "project"
      And the workspace files "project/a/notes.md", "project/a/{name}"
      And the workspace file "project/{name}" containing "@./a/notes.md\n"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/a/notes.md", "project/a/{name}"

  @INS-IMPORT-04 @clarified @axis:import-place=anywhere
  Rule: In a dialect with import-place=anywhere, a mention is an import anywhere in a line

    Scenario Outline: A mention after <before>
      Given the Git repository "project"
      And the workspace file "project/notes.md"
      And the workspace file "project/{name}" containing "<text>@./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

      Examples:
        | before        | text  |
        | a space       | See\u0020 |
        | a letter      | See   |
        | a parenthesis | See ( |

  @INS-IMPORT-05 @clarified @axis:import-place=after-space
  Rule: In a dialect with import-place=after-space, a mention is an import only at the start of a line or after white space

    Scenario Outline: A mention after white space: <before>
      Given the Git repository "project"
      And the workspace file "project/notes.md"
      And the workspace file "project/{name}" containing "See<text>@./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

      Examples:
        | before       | text   |
        | a line break | \n     |
        | a space      | \u0020 |
        | a tab        | \t     |

    Scenario Outline: A mention after another character: <before>
      Given the Git repository "project"
      And the workspace files "project/notes.md", "project/other.md"
      And the workspace file "project/{name}" containing "See<text>@./other.md\n@./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

      Examples:
        | before        | text |
        | a letter      | n    |
        | a parenthesis | (    |

  @INS-IMPORT-06 @clarified @axis:import-paths=letter-dot-or-slash
  Rule: In a dialect with import-paths=letter-dot-or-slash, a mention is an import only if its path begins with an ASCII letter, a dot or a slash

    Scenario: A path of letters, and a path with a digit first
      Given the Git repository "project"
      And the workspace files "project/notes", "project/1notes.md"
      And the workspace file "project/{name}" containing "@1notes.md\n@notes\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes"

    Scenario: A path with a hyphen first, and a path with a dot first
      Given the Git repository "project"
      And the workspace files "project/-notes.md", "project/.notes"
      And the workspace file "project/{name}" containing "@-notes.md\n@.notes\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/.notes"

    Scenario: A path with a letter first that is not ASCII, and a path with a capital letter first
      Given the Git repository "project"
      And the workspace files "project/énotes.md", "project/Notes.md"
      And the workspace file "project/{name}" containing "@énotes.md\n@Notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/Notes.md"

    @axis:import-missing=comment
    Scenario: A path with a slash first, which no file has
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "before @/missing/notes.md after\n"
      When the tool reads the workspace
      Then the loaded text contains, in this order, "before", "<!--" and "after"
      And the loaded text does not contain "@/missing/notes.md"

  @INS-IMPORT-07 @clarified @axis:import-paths=slash-or-extension
  Rule: In a dialect with import-paths=slash-or-extension, a mention is an import only if its path has a slash or a known extension

    Scenario: A path without a slash and without an extension, and a path with a slash
      Given the Git repository "project"
      And the workspace files "project/notes", "project/docs/notes"
      And the workspace file "project/{name}" containing "@notes\n@docs/notes\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/docs/notes"

    Scenario: A path with an unknown extension, and a path with a known extension
      Given the Git repository "project"
      And the workspace files "project/notes.rst", "project/notes.md"
      And the workspace file "project/{name}" containing "@notes.rst\n@notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

  @INS-IMPORT-08 @clarified @axis:import-paths=any-with-escaped-spaces
  Rule: In a dialect with import-paths=any-with-escaped-spaces, a mention of a path with spaces is an import, if a backslash precedes each space of the path

    Scenario: A path with a space after a backslash
      Given the Git repository "project"
      And the workspace files "project/my", "project/my notes.md"
      And the workspace file "project/{name}" containing "@my\\ notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/my notes.md"

    Scenario: A path with two spaces, each after a backslash
      Given the Git repository "project"
      And the workspace files "project/my", "project/my own notes.md"
      And the workspace file "project/{name}" containing "@my\\ own\\ notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/my own notes.md"

    Scenario: A path before a space without a backslash
      Given the Git repository "project"
      And the workspace files "project/my", "project/my notes.md"
      And the workspace file "project/{name}" containing "@my notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/my"

  @INS-IMPORT-11 @clarified @axis:import-code=skipped
  Rule: In a dialect with import-code=skipped, mentions in code spans and in fenced code are plain text

    Scenario Outline: A mention in <code>
      Given the Git repository "project"
      And the workspace files "project/code.md", "project/notes.md"
      And the workspace file "project/{name}" containing "Notes\n\n<text>\n\nSee @./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

      Examples:
        | code                   | text                                 |
        | a code span            | Use `cat @./code.md -n` here.            |
        | a fence of backticks   | ```\ncat @./code.md\n```             |
        | a fence of tildes      | ~~~\ncat @./code.md\n~~~             |
        | a fence in a list      | - Run:\n\n  ```\n  cat @./code.md\n  ``` |
        | a code span in a list  | - Use `cat @./code.md -n` here.      |

  @INS-IMPORT-12 @clarified @axis:import-code=skipped-outside-lists
  Rule: In a dialect with import-code=skipped-outside-lists, mentions in code are plain text, except in fenced code of a list

    Scenario Outline: A mention outside any list, in <code>
      Given the Git repository "project"
      And the workspace files "project/code.md", "project/notes.md"
      And the workspace file "project/{name}" containing "Notes\n\n<text>\n\nSee @./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

      Examples:
        | code                 | text                       |
        | a code span          | Use `cat @./code.md -n` here. |
        | a fence of backticks | ```\ncat @./code.md\n```   |

    Scenario: A mention in fenced code of a list
      Given the Git repository "project"
      And the workspace files "project/code.md", "project/notes.md"
      And the workspace file "project/{name}" with the text
        """
        - Run:

          ```
          cat @./code.md
          ```

        See @./notes.md
        """
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/code.md", "project/notes.md"

  @INS-IMPORT-13 @clarified @axis:import-code=between-backticks
  Rule: In a dialect with import-code=between-backticks, only mentions between backticks are plain text

    Scenario Outline: A mention between backticks, in <code>
      Given the Git repository "project"
      And the workspace files "project/code.md", "project/notes.md"
      And the workspace file "project/{name}" containing "Notes\n\n<text>\n\nSee @./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

      Examples:
        | code                              | text                                     |
        | a code span                       | Use `cat @./code.md -n` here.            |
        | a fence of backticks              | ```\ncat @./code.md\n```                 |
        | a fence in a list                 | - Run:\n\n  ```\n  cat @./code.md\n  ``` |
        | two paragraphs between backticks  | One ` and\n\ncat @./code.md\n\ntwo `     |

    Scenario: A mention in a fence of tildes, which is an import
      Given the Git repository "project"
      And the workspace files "project/code.md", "project/notes.md"
      And the workspace file "project/{name}" with the text
        """
        Notes

        ~~~
        cat @./code.md
        ~~~

        See @./notes.md
        """
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/code.md", "project/notes.md"

  @INS-IMPORT-14 @clarified @axis:import-code=expanded
  Rule: In a dialect with import-code=expanded, mentions in code spans and in fenced code are imports

    Scenario Outline: A mention in <code>, which is an import
      Given the Git repository "project"
      And the workspace files "project/code.md", "project/notes.md"
      And the workspace file "project/{name}" containing "Notes\n\n<text>\n\nSee @./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/code.md", "project/notes.md"

      Examples:
        | code                 | text                       |
        | a code span          | Use `cat @./code.md -n` here. |
        | a fence of backticks | ```\ncat @./code.md\n```   |

  @INS-IMPORT-15 @clarified @axis:import-indented=skipped
  Rule: In a dialect with import-indented=skipped, mentions in indented code are plain text

    Scenario: A paragraph that is indented by four spaces
      Given the Git repository "project"
      And the workspace files "project/code.md", "project/notes.md"
      And the workspace file "project/{name}" containing "Run:\n\n    cat @./code.md\n\nSee @./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

    Scenario: A paragraph that is indented by three spaces
      Given the Git repository "project"
      And the workspace files "project/code.md", "project/notes.md"
      And the workspace file "project/{name}" containing "Run:\n\n   cat @./code.md\n\nSee @./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/code.md", "project/notes.md"

  @INS-IMPORT-16 @clarified @axis:import-indented=expanded
  Rule: In a dialect with import-indented=expanded, mentions in indented code are imports

    Scenario: A paragraph that is indented by four spaces, which is imported
      Given the Git repository "project"
      And the workspace files "project/code.md", "project/notes.md"
      And the workspace file "project/{name}" containing "Run:\n\n    cat @./code.md\n\nSee @./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/code.md", "project/notes.md"

  @INS-IMPORT-26 @clarified @axis:import-home=text
  Rule: In a dialect with import-home=text, a mention that begins with "~/" is plain text

    Scenario: A file in the home folder, a file in a folder named "~", and an import
      Given the Git repository "project"
      And the workspace files "home/notes.md", "project/~/notes.md", "project/other.md"
      And the workspace file "project/{name}" containing "@~/notes.md\n@./other.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/other.md"
      And the loaded text contains "@~/notes.md"

  @INS-IMPORT-27 @clarified @axis:import-home=relative
  Rule: In a dialect with import-home=relative, a mention that begins with "~/" is an import from a folder named "~"

    Scenario: A file in the home folder, and the imported file in a folder named "~"
      Given the Git repository "project"
      And the workspace files "home/notes.md", "project/~/notes.md"
      And the workspace file "project/{name}" containing "@~/notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/~/notes.md"

  @INS-IMPORT-28 @clarified @axis:import-home=loaded @axis:import-outside=asks
  Rule: In a dialect with import-home=loaded, a mention that begins with "~/" is an import from the home folder

    Scenario: The imported file in the home folder, and a file in a folder named "~"
      Given the Git repository "project"
      And the workspace files "home/notes.md", "project/~/notes.md"
      And the workspace file "project/{name}" containing "@~/notes.md\n"
      And the user has agreed to imports from outside the project
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "home/notes.md"
