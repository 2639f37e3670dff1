Feature: The budget of bytes
  Some tools load a limited number of bytes of instruction files in all. What a file beyond the budget says reaches no
  model, and few tools report the loss. Tools differ in the files that they serve first, in what they count, and in how
  they cut: a tool that serves the outer files first loses the text nearest to the work.

  The sizes in the tables include the first line of a file, which names the file. The budget cuts the last file that
  it serves; a later file is not loaded at all.

  {name} stands for the usual file name of the tool, for example AGENTS.md.

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

  @INS-BUDGET-02 @clarified @axis:budget=32768
  Rule: In a dialect with budget=32768, at most 32,768 bytes of instruction files are loaded

    Scenario: One file of 100,000 bytes
      Given the Git repository "project"
      And workspace files of these sizes
        | path           | bytes  |
        | project/{name} | 100000 |
      When the tool reads the workspace
      Then fewer than 32769 bytes of "project/{name}" are loaded

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
  Rule: In a dialect with budget-order=root-first, the budget serves the files of outer folders first

    Scenario: Two files of 20,000 bytes, the outer one in full
      Given the Git repository "project"
      And workspace files of these sizes
        | path             | bytes |
        | project/{name}   | 20000 |
        | project/a/{name} | 20000 |
      And the working directory "project/a"
      When the tool reads the workspace
      Then 20000 bytes of "project/{name}" are loaded
      And fewer than 12800 bytes of "project/a/{name}" are loaded

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
  Rule: In a dialect with budget-order=leaf-first, the budget serves the file of the working directory first

    Scenario: Two files of 20,000 bytes, the inner one in full
      Given the Git repository "project"
      And workspace files of these sizes
        | path             | bytes |
        | project/{name}   | 20000 |
        | project/a/{name} | 20000 |
      And the working directory "project/a"
      When the tool reads the workspace
      Then 20000 bytes of "project/a/{name}" are loaded
      And fewer than 12800 bytes of "project/{name}" are loaded

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
      Then fewer than 32768 bytes of "project/{name}" are loaded

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
      Then the loaded files are "project/{name}"
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
      And fewer than 32769 bytes of "project/{name}" are loaded
      And the loaded text does not contain "\ufffd"

      Examples:
        | count            | start |
        | one character    | -     |
        | two characters   | --    |
        | three characters | ---   |
        | four characters  | ----  |
