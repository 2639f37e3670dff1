Feature: Mentions in code
  Instruction files contain examples of commands and of code, and such an example can contain "@name" without any
  intention to import a file. Some tools parse Markdown and skip mentions in code; other tools know backticks only, or no
  code at all.

  A code span is code between backticks in a line. Fenced code is between two lines of three backticks or three tildes.
  Indented code is a paragraph that begins with four spaces. Markdown allows each of these in a list too.

  Each example has a file that is mentioned in code, and a file that is mentioned in the text after the code.

  @INS-IMPORT-11 @clarified @axis:import-code=skipped
  Rule: Mentions in code spans and in fenced code are plain text

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

  @INS-IMPORT-12 @clarified @axis:import-code=skipped-outside-lists
  Rule: Mentions in fenced code of a list are imports, and mentions in other code are plain text

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
      And the workspace file "project/{name}" containing "- Run:\n\n  ```\n  cat @./code.md\n  ```\n\nSee @./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/code.md", "project/notes.md"

  @INS-IMPORT-13 @clarified @axis:import-code=between-backticks
  Rule: Mentions between backticks are plain text, and mentions in other fenced code are imports

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
      And the workspace file "project/{name}" containing "Notes\n\n~~~\ncat @./code.md\n~~~\n\nSee @./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/code.md", "project/notes.md"

  @INS-IMPORT-14 @clarified @axis:import-code=expanded
  Rule: Mentions in code spans and in fenced code are imports

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
  Rule: Mentions in indented code are plain text

    Scenario: A paragraph with four spaces first
      Given the Git repository "project"
      And the workspace files "project/code.md", "project/notes.md"
      And the workspace file "project/{name}" containing "Run:\n\n    cat @./code.md\n\nSee @./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

    Scenario: A paragraph with three spaces first
      Given the Git repository "project"
      And the workspace files "project/code.md", "project/notes.md"
      And the workspace file "project/{name}" containing "Run:\n\n   cat @./code.md\n\nSee @./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/code.md", "project/notes.md"

  @INS-IMPORT-16 @clarified @axis:import-indented=expanded
  Rule: Mentions in indented code are imports

    Scenario: A paragraph with four spaces first, which is imported
      Given the Git repository "project"
      And the workspace files "project/code.md", "project/notes.md"
      And the workspace file "project/{name}" containing "Run:\n\n    cat @./code.md\n\nSee @./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/code.md", "project/notes.md"
