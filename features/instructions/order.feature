Feature: The order and the budget of instruction files
  A tool searches several folders for instruction files, and a model receives the files one after the other. Most
  tools begin with the outermost folder, so that the file next to the work is read last. If two files contradict each
  other, the model sees both texts.

  The budget of a tool is the number of bytes of instruction files that it loads in all. A file beyond the budget
  reaches no model. The budget cuts one file, and later files are not loaded. The sizes in the tables include the
  first line of a file, which names the file.

  {name} stands for the usual file name of the tool, for example AGENTS.md. {first name} stands for the first name in
  the list of the tool. {second name} stands for the second name in the list of the tool. {global} stands for the place of
  the tool's global file, below the home folder.

  @INS-ORDER-01 @clarified @axis:order=from-root
  Rule: In a dialect with order=from-root, instruction files are loaded from the outermost folder to the working directory

    Scenario: Files in three folders of a project
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}", "project/a/b/{name}"
      And the working directory "project/a/b"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/a/{name}", "project/a/b/{name}"

    Scenario: The folders sort in another order than their depths
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/A/{name}", "project/A/B/{name}"
      And the working directory "project/A/B"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/A/{name}", "project/A/B/{name}"

  @INS-ORDER-02 @clarified @axis:order=from-working-directory
  Rule: In a dialect with order=from-working-directory, instruction files are loaded from the working directory to the outermost folder

    Scenario: Files in three folders, the working directory first
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}", "project/a/b/{name}"
      And the working directory "project/a/b"
      When the tool reads the workspace
      Then the loaded files are "project/a/b/{name}", "project/a/{name}", "project/{name}"

    Scenario: A folder without a file between two files
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/b/{name}"
      And the working directory "project/a/b"
      When the tool reads the workspace
      Then the loaded files are "project/a/b/{name}", "project/{name}"

  @INS-ORDER-03 @clarified @axis:order=by-path
  Rule: In a dialect with order=by-path, instruction files are loaded in the order of their paths

    Scenario: A folder that sorts before the name of an instruction file
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/A/{name}"
      And the working directory "project/A"
      When the tool reads the workspace
      Then the loaded files are "project/A/{name}", "project/{name}"

    Scenario: A folder that sorts after the name of an instruction file
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/z/{name}"
      And the working directory "project/z"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/z/{name}"

  @INS-ORDER-04 @clarified @axis:order=as-configured @axis:walk=configured
  Rule: In a dialect with order=as-configured, instruction files are loaded in the order of the configuration

    Scenario: Three files in another order than that of their folders
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}", "project/a/b/{name}"
      And the configured workspace files "project/a/{name}", "project/a/b/{name}", "project/{name}"
      When the tool reads the workspace
      Then the loaded files are "project/a/{name}", "project/a/b/{name}", "project/{name}"

  @INS-ORDER-05 @clarified @axis:grouping=by-folder @axis:order=from-root
  Rule: In a dialect with grouping=by-folder, the files of one folder are loaded before the files of the next folder, whatever their names are

    @axis:names=kimi-agents @axis:selection=first-in-folder
    Scenario: Files AGENTS.md and .kimi/AGENTS.md in two folders
      Given the Git repository "project"
      And the workspace files "project/.kimi/AGENTS.md", "project/AGENTS.md"
      And the workspace files "project/a/.kimi/AGENTS.md", "project/a/AGENTS.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/.kimi/AGENTS.md", "project/AGENTS.md", "project/a/.kimi/AGENTS.md", "project/a/AGENTS.md"

    @axis:names=claude-or-agents @axis:selection=one-family-per-project
    Scenario: Files CLAUDE.md and CLAUDE.local.md in two folders
      Given the Git repository "project"
      And the workspace files "project/CLAUDE.md", "project/CLAUDE.local.md"
      And the workspace files "project/a/CLAUDE.md", "project/a/CLAUDE.local.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/CLAUDE.md", "project/CLAUDE.local.md", "project/a/CLAUDE.md", "project/a/CLAUDE.local.md"

  @INS-ORDER-06 @clarified @axis:grouping=by-name @axis:order=from-root @axis:selection=every-name
  Rule: In a dialect with grouping=by-name, all files of one name are loaded before the files of the next name, whatever their folders are

    Scenario: Files of two names in each of two folders
      Given the Git repository "project"
      And the workspace files "project/{first name}", "project/{second name}"
      And the workspace files "project/a/{first name}", "project/a/{second name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/{first name}", "project/a/{first name}", "project/{second name}", "project/a/{second name}"

    Scenario: A file of the second name above a file of the first name
      Given the Git repository "project"
      And the workspace files "project/{second name}", "project/a/{first name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/a/{first name}", "project/{second name}"

  @INS-BUDGET-01 @clarified @axis:budget=unlimited
  Rule: In a dialect with budget=unlimited, instruction files of any size are loaded in full

    Scenario: Two files of 200,000 bytes
      Given the Git repository "project"
      And workspace files of these sizes
        | path             | bytes  |
        | project/{name}   | 200000 |
        | project/a/{name} | 200000 |
      And the working directory "project/a"
      When the tool reads the workspace
      Then 200000 bytes of "project/{name}" are loaded
      And 200000 bytes of "project/a/{name}" are loaded

    @axis:walk=working-directory
    Scenario: One file of 20,000 lines
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "Be polite." and 20000 times "\nBe brief."
      When the tool reads the workspace
      Then the loaded text contains "Be brief." 20000 times

  @INS-BUDGET-02 @clarified @axis:budget=32768
  Rule: In a dialect with budget=32768, at most 32,768 bytes of instruction files are loaded

    Scenario: One file of 100,000 bytes
      Given the Git repository "project"
      And workspace files of these sizes
        | path           | bytes  |
        | project/{name} | 100000 |
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"
      And at most 32768 bytes of "project/{name}" are loaded

    @axis:budget-counts=contents
    Scenario: One file of exactly 32,768 bytes
      Given the Git repository "project"
      And workspace files of these sizes
        | path           | bytes |
        | project/{name} | 32768 |
      When the tool reads the workspace
      Then 32768 bytes of "project/{name}" are loaded

    @axis:budget-counts=contents
    Scenario: One file of 32,769 bytes
      Given the Git repository "project"
      And workspace files of these sizes
        | path           | bytes |
        | project/{name} | 32769 |
      When the tool reads the workspace
      Then 32768 bytes of "project/{name}" are loaded

  @INS-BUDGET-03 @clarified @axis:budget-order=root-first @axis:budget=32768
  Rule: In a dialect with budget-order=root-first, the budget goes to the files of outer folders first

    Scenario: Two files of 20,000 bytes, the outer one in full
      Given the Git repository "project"
      And workspace files of these sizes
        | path             | bytes |
        | project/{name}   | 20000 |
        | project/a/{name} | 20000 |
      And the working directory "project/a"
      When the tool reads the workspace
      Then 20000 bytes of "project/{name}" are loaded
      And at most 12800 bytes of "project/a/{name}" are loaded

    Scenario: Three files of 20,000 bytes, the innermost one lost
      Given the Git repository "project"
      And workspace files of these sizes
        | path               | bytes |
        | project/{name}     | 20000 |
        | project/a/{name}   | 20000 |
        | project/a/b/{name} | 20000 |
      And the working directory "project/a/b"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/{name}", "project/a/{name}"

  @INS-BUDGET-04 @clarified @axis:budget-order=leaf-first @axis:budget=32768
  Rule: In a dialect with budget-order=leaf-first, the budget is used from the working directory upwards: its file first, then those of the folders above

    Scenario: Two files of 20,000 bytes, the inner one in full
      Given the Git repository "project"
      And workspace files of these sizes
        | path             | bytes |
        | project/{name}   | 20000 |
        | project/a/{name} | 20000 |
      And the working directory "project/a"
      When the tool reads the workspace
      Then 20000 bytes of "project/a/{name}" are loaded
      And at most 12800 bytes of "project/{name}" are loaded

    Scenario: Three files of 20,000 bytes, the outermost one lost
      Given the Git repository "project"
      And workspace files of these sizes
        | path               | bytes |
        | project/{name}     | 20000 |
        | project/a/{name}   | 20000 |
        | project/a/b/{name} | 20000 |
      And the working directory "project/a/b"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/a/{name}", "project/a/b/{name}"

  @INS-BUDGET-05 @clarified @axis:budget-counts=contents @axis:budget=32768
  Rule: In a dialect with budget-counts=contents, only the bytes of the files count toward the budget

    Scenario: Two files of 32,768 bytes together
      Given the Git repository "project"
      And workspace files of these sizes
        | path             | bytes |
        | project/{name}   | 20000 |
        | project/a/{name} | 12768 |
      And the working directory "project/a"
      When the tool reads the workspace
      Then 20000 bytes of "project/{name}" are loaded
      And 12768 bytes of "project/a/{name}" are loaded

  @INS-BUDGET-06 @clarified @axis:budget-counts=sections @axis:budget=32768
  Rule: In a dialect with budget-counts=sections, the headings of files and the separators between files count toward the budget

    Scenario: A file of exactly 32,768 bytes does not fit under its heading
      Given the Git repository "project"
      And workspace files of these sizes
        | path           | bytes |
        | project/{name} | 32768 |
      When the tool reads the workspace
      Then at most 32767 bytes of "project/{name}" are loaded

    Scenario: A file of 30,000 bytes
      Given the Git repository "project"
      And workspace files of these sizes
        | path           | bytes |
        | project/{name} | 30000 |
      When the tool reads the workspace
      Then 30000 bytes of "project/{name}" are loaded

  @INS-BUDGET-07 @clarified @axis:budget-character=replaced @axis:budget-counts=contents @axis:budget=32768
  Rule: In a dialect with budget-character=replaced, a replacement character takes the place of a character that the budget cuts in two

    Scenario Outline: The budget cuts a character of four bytes after <cut>
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "<start>" and 10000 times "\xf0\x9f\x98\x80"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"
      And the loaded text contains "\ufffd" once

      Examples:
        | cut       | start |
        | one byte  | -     |
        | two bytes | ----  |

  @INS-BUDGET-08 @clarified @axis:budget-character=dropped @axis:budget=32768
  Rule: In a dialect with budget-character=dropped, a character that the budget cuts in two is not loaded

    # Headings count toward the budget and contain the path, so it is not known where the budget cuts. In three of four
    # rows the budget cuts a character in two.
    Scenario Outline: Characters of four bytes after <count> of one byte
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "<start>" and 10000 times "\xf0\x9f\x98\x80"
      When the tool reads the workspace
      Then the loaded text contains "<start>\xf0\x9f\x98\x80\xf0\x9f\x98\x80"
      And at most 32768 bytes of "project/{name}" are loaded
      And the loaded text does not contain "\ufffd"

      Examples:
        | count            | start |
        | one character    | -     |
        | two characters   | --    |
        | three characters | ---   |
        | four characters  | ----  |

  @INS-ORDER-07 @clarified @axis:order=ends-first
  Rule: In a dialect with order=ends-first, instruction files are loaded from the root of the project, then from the working directory, then from the folders between them, the innermost first

    Scenario: Files in four folders of a project
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}", "project/a/b/{name}", "project/a/b/c/{name}"
      And the working directory "project/a/b/c"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/a/b/c/{name}", "project/a/b/{name}", "project/a/{name}"

    Scenario: The working directory is the root
      Given the Git repository "project"
      And the workspace file "project/{name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

  @INS-ORDER-08 @clarified @axis:grouping=first-name-first @axis:order=ends-first
  Rule: In a dialect with grouping=first-name-first, at the root and in the working directory, the files of the first name are loaded before the files of all other names

    Scenario: Files of two names at the root, in the working directory, and between them
      Given the Git repository "project"
      And the workspace files "project/{first name}", "project/{second name}"
      And the workspace files "project/a/{first name}", "project/a/{second name}"
      And the workspace files "project/a/b/{first name}", "project/a/b/{second name}"
      And the working directory "project/a/b"
      When the tool reads the workspace
      Then the loaded files are "project/{first name}", "project/a/b/{first name}", "project/{second name}", "project/a/b/{second name}", "project/a/{first name}", "project/a/{second name}"

  @INS-GLOBAL-18 @clarified @axis:global-place=last
  Rule: In a dialect with global-place=last, the global file is loaded after the files of the project

    Scenario: A global file, and a file at the root of the project
      Given the Git repository "project"
      And the workspace files "home/{global}", "project/{name}"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "home/{global}"
