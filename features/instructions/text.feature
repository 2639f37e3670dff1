Feature: The loaded text
  Between the bytes of a file and the text that a model receives, some tools change white space, line endings,
  comments and the byte order mark. Some tools leave a mention in the text when they import the mentioned file.

  A byte order mark is the character U+FEFF at the start of a file, which some editors write. A blank file is a file
  with nothing but white space. The blank files of the examples contain U+2003, a wide space that no tool writes
  between files, so a text shows whether the file is loaded.

  {name} stands for the usual file name of the tool, for example AGENTS.md. {global} stands for the place of the
  tool's global file, below the home folder.

  @INS-TEXT-01 @clarified @axis:blank-file=skipped
  Rule: In a dialect with blank-file=skipped, an instruction file with nothing but white space is not loaded

    Scenario: A blank file above a file with text
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "\n\u2003\t\n"
      And the workspace file "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/a/{name}"
      And no empty file is loaded
      And the loaded text does not contain "\u2003"

    Scenario: A file with white space and one letter
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "x\u2003x"
      When the tool reads the workspace
      Then the loaded text contains "x\u2003x"

  @INS-TEXT-02 @clarified @axis:blank-file=blank-loaded @axis:surrounding-space=kept
  Rule: In a dialect with blank-file=blank-loaded, an instruction file with nothing but white space is loaded, unless the file is empty

    Scenario: A blank file and an empty file, above a file with text
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "\n\u2003\t\n"
      And the empty workspace file "project/a/{name}"
      And the workspace file "project/a/b/{name}"
      And the working directory "project/a/b"
      When the tool reads the workspace
      Then the only loaded file is "project/a/b/{name}"
      And the loaded text contains "\n\u2003\t\n"
      And no empty file is loaded

    @axis:walk=working-directory
    Scenario: A blank file in the only searched folder
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "\n\u2003\t\n"
      When the tool reads the workspace
      Then the loaded text contains "\n\u2003\t\n"

    @axis:walk=working-directory
    Scenario: An empty file in the only searched folder
      Given the Git repository "project"
      And the empty workspace file "project/{name}"
      When the tool reads the workspace
      Then no file is loaded

  @INS-TEXT-03 @clarified @axis:blank-file=loaded @axis:names=override-agents-claude
  Rule: In a dialect with blank-file=loaded, an empty instruction file is loaded

    Scenario: An empty file above a file with text
      Given the Git repository "project"
      And the empty workspace file "project/AGENTS.md"
      And the workspace file "project/a/AGENTS.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/a/AGENTS.md"
      And the only loaded empty file is "project/AGENTS.md"

    @axis:surrounding-space=kept
    Scenario: A blank file, which is loaded
      Given the Git repository "project"
      And the workspace file "project/AGENTS.md" with nothing but "\n\u2003\t\n"
      When the tool reads the workspace
      Then the loaded text contains "\n\u2003\t\n"

  @INS-TEXT-04 @clarified @axis:byte-order-mark=kept
  Rule: In a dialect with byte-order-mark=kept, the byte order mark of an instruction file is loaded

    Scenario: A byte order mark at the start of a file
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "\ufeffBe brief."
      When the tool reads the workspace
      Then the loaded text contains "\ufeffBe brief."

  @INS-TEXT-05 @clarified @axis:byte-order-mark=removed
  Rule: In a dialect with byte-order-mark=removed, the byte order mark of an instruction file is removed

    Scenario: A byte order mark in front of a sentence
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "\ufeffBe brief."
      When the tool reads the workspace
      Then the loaded text contains "Be brief."
      And the loaded text does not contain "\ufeff"

    Scenario: The character of a byte order mark within a sentence
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "Be \ufeff brief."
      When the tool reads the workspace
      Then the loaded text contains "Be \ufeff brief."

  @INS-TEXT-06 @clarified @axis:line-endings=kept
  Rule: In a dialect with line-endings=kept, the line endings of an instruction file are loaded as they are

    Scenario: The three line endings in one file
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "one\r\ntwo\rthree\nfour"
      When the tool reads the workspace
      Then the loaded text contains "one\r\ntwo\rthree\nfour"

  @INS-TEXT-07 @clarified @axis:line-endings=normalized
  Rule: In a dialect with line-endings=normalized, each line ending of an instruction file is loaded as a line feed

    Scenario: The three line endings in one file, normalized
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "one\r\ntwo\rthree\nfour"
      When the tool reads the workspace
      Then the loaded text contains "one\ntwo\nthree\nfour"
      And the loaded text does not contain "\r"

  @INS-TEXT-08 @clarified @axis:surrounding-space=kept
  Rule: In a dialect with surrounding-space=kept, the white space at the start and at the end of an instruction file is loaded

    Scenario: A tab and an empty line around a sentence
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "\n\n\tBe brief.\t\n\n"
      When the tool reads the workspace
      Then the loaded text contains "\n\n\tBe brief.\t\n\n"

  @INS-TEXT-09 @clarified @axis:surrounding-space=removed
  Rule: In a dialect with surrounding-space=removed, the white space at the start and at the end of an instruction file is removed

    Scenario: A tab and an empty line around a sentence, removed
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "\n\n\tBe brief.\t\n\n"
      When the tool reads the workspace
      Then the loaded text contains "Be brief."
      And the loaded text does not contain "\tBe brief."
      And the loaded text does not contain "Be brief.\t"

    Scenario: White space within the content
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "Be brief.\t\n\n\tBe polite."
      When the tool reads the workspace
      Then the loaded text contains "Be brief.\t\n\n\tBe polite."

  @INS-TEXT-10 @clarified @axis:surrounding-space=trailing-removed
  Rule: In a dialect with surrounding-space=trailing-removed, only the white space at the end of an instruction file is removed

    Scenario: A tab before a sentence, and a tab after the sentence
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "\tBe brief.\t\n\n"
      When the tool reads the workspace
      Then the loaded text contains "\tBe brief."
      And the loaded text does not contain "Be brief.\t"

  @INS-TEXT-11 @clarified @axis:surrounding-space=global-removed
  Rule: In a dialect with surrounding-space=global-removed, the white space at the start and at the end is removed from the global file only

    Scenario: White space around the sentence of a global file and of a file of the project
      Given the Git repository "project"
      And the workspace file "home/{global}" with nothing but "\n\tBe brief.\t\n"
      And the workspace file "project/{name}" with nothing but "\n\tBe polite.\t\n"
      When the tool reads the workspace
      Then the loaded text contains "Be brief."
      And the loaded text does not contain "\tBe brief."
      And the loaded text does not contain "Be brief.\t"
      And the loaded text contains "\n\tBe polite.\t\n"

  @INS-TEXT-18 @clarified @axis:surrounding-space=line-ends-removed
  Rule: In a dialect with surrounding-space=line-ends-removed, only the line endings at the end of an instruction file are removed

    Scenario: White space around a sentence, and line endings at the end
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "\n\tBe brief.\t\r\n\n"
      When the tool reads the workspace
      Then the loaded text contains "\n\tBe brief.\t"
      And the loaded text does not contain "Be brief.\t\r"
      And the loaded text does not contain "Be brief.\t\n"

  @INS-TEXT-12 @clarified @axis:comments=kept
  Rule: In a dialect with comments=kept, HTML comments of an instruction file are loaded

    Scenario: A comment between two sentences
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "Be brief.\n<!-- for people -->\nBe polite.\n"
      When the tool reads the workspace
      Then the loaded text contains, in this order, "Be brief.", "<!-- for people -->" and "Be polite."

    Scenario: A comment within a sentence
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "Be brief <!-- for people --> and polite.\n"
      When the tool reads the workspace
      Then the loaded text contains "Be brief <!-- for people --> and polite."

  @INS-TEXT-13 @clarified @axis:comments=removed
  Rule: In a dialect with comments=removed, HTML comments of an instruction file are removed

    Scenario Outline: A comment <lines>
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "Be brief.\n\n<comment>\n\nBe polite.\n"
      When the tool reads the workspace
      Then the loaded text contains "Be brief."
      And the loaded text contains "Be polite."
      And the loaded text does not contain "for people"

      Examples:
        | lines                | comment                  |
        | on a line of its own | <!-- for people -->      |
        | of three lines       | <!--\nfor people\n-->    |

  @INS-TEXT-14 @clarified @axis:front-matter=kept
  Rule: In a dialect with front-matter=kept, the front matter of an instruction file is loaded

    Scenario: Two fields between lines of hyphens
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "---\ntitle: Notes\nowner: us\n---\nBe brief."
      When the tool reads the workspace
      Then the loaded text contains, in this order, "title: Notes", "owner: us" and "Be brief."

  @INS-TEXT-15 @clarified @axis:front-matter=removed
  Rule: In a dialect with front-matter=removed, the front matter of an instruction file is removed

    Scenario: Two fields between lines of hyphens, removed
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "---\ntitle: Notes\nowner: us\n---\nBe brief."
      When the tool reads the workspace
      Then the loaded text contains "Be brief."
      And the loaded text does not contain "title: Notes"

    Scenario: Front matter whose lines end with a carriage return and a line feed
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "---\r\ntitle: Notes\r\n---\r\nBe brief."
      When the tool reads the workspace
      Then the loaded text contains "Be brief."
      And the loaded text does not contain "title: Notes"

    Scenario: Lines of hyphens after the first line
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "Be polite.\n---\ntitle: Notes\n---\nBe brief."
      When the tool reads the workspace
      Then the loaded text contains, in this order, "Be polite.", "title: Notes" and "Be brief."

  @INS-TEXT-16 @clarified @axis:comments=blocks-removed
  Rule: In a dialect with comments=blocks-removed, only HTML comments that are blocks of their own are removed

    Scenario Outline: A comment that stays: <where>
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "Be brief.\n\n<text>\n\n<!-- a block -->\n\nBe polite.\n"
      When the tool reads the workspace
      Then the loaded text contains "<!-- for people -->"
      And the loaded text does not contain "a block"

      Examples:
        | where             | text                                |
        | within a sentence | Ask <!-- for people --> first.      |
        | in fenced code    | ```\n<!-- for people -->\n```       |
        | in a list         | - one\n\n  <!-- for people -->      |

  @INS-TEXT-17 @clarified @axis:byte-order-mark=invisible-removed
  Rule: In a dialect with byte-order-mark=invisible-removed, the byte order mark and other invisible characters of an instruction file are removed, wherever they are

    Scenario Outline: A removed character: <character>
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "<text>"
      When the tool reads the workspace
      Then the loaded text contains "Be brief."

      Examples:
        | character                      | text              |
        | a byte order mark at the start | \ufeffBe brief.   |
        | a byte order mark in a word    | Be br\ufeffief.   |
        | a zero-width space             | Be br\u200bief.   |
        | a soft hyphen                  | Be br\u00adief.   |
        | a direction mark               | Be \u202ebrief.   |

    Scenario: Characters that can be seen, or that join what can be seen
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "Be\u00a0brief\u2028\u00e9\u200d\u00e9."
      When the tool reads the workspace
      Then the loaded text contains "Be\u00a0brief\u2028\u00e9\u200d\u00e9."

  @INS-IMPORT-52 @clarified @axis:imports=after-mention
  Rule: In a dialect with imports=after-mention, the content of an imported file follows its mention

    Scenario: A mention between two words, which stays
      Given the Git repository "project"
      And the workspace file "project/notes.md" with nothing but "Be brief."
      And the workspace file "project/{name}" containing "before @./notes.md after\n"
      When the tool reads the workspace
      Then the loaded text contains, in this order, "before @./notes.md", "Be brief." and "after"

    Scenario: An import of an imported file, relative to the folder of that file
      Given the Git repository "project"
      And the workspace file "project/docs/style.md" with nothing but "Be brief."
      And the workspace file "project/docs/notes.md" with nothing but "first @./style.md last"
      And the workspace file "project/{name}" containing "@./docs/notes.md\n"
      When the tool reads the workspace
      Then the loaded text contains, in this order, "first @./style.md", "Be brief." and "last"

  @INS-IMPORT-58 @clarified @axis:import-cycle=note @axis:imports=after-mention
  Rule: In a dialect with import-cycle=note, a note about the loaded file follows a mention that closes an import cycle

    Scenario: A note after a mention in two files that import each other
      Given the Git repository "project"
      And workspace files with contents
        | path           | content              |
        | project/{name} | @./1.md              |
        | project/1.md   | @./2.md              |
        | project/2.md   | before @./1.md after |
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/1.md", "project/2.md"
      And the loaded text contains, in this order, "before @./1.md", "1.md" and "after"
