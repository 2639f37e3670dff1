Feature: Import cycles
  Imports can lead back to a file that is still being loaded, directly or through
  other files. The loader skips such an import, so that every load ends. An import
  cycle is usually a mistake, so the loader also reports a warning.

  A loader that checks only its list of loaded files skips the cycle without a
  warning. The loaded files are the files whose content the instructions contain.

  @AMD-CYCLE-01 @documented
  Rule: A file's import of itself is skipped with a warning

    Scenario: A file that imports itself
      Given the configured file "/p/a.md"
      And the file "/p/a.md" containing "A @a.md"
      When the instructions are loaded
      Then the only loaded file is "/p/a.md"
      And a warning is given

  @AMD-CYCLE-02 @documented
  Rule: An import that closes a cycle of two files is skipped with a warning

    Scenario: Two files that import each other
      Given the files
        | path    | content |
        | /p/a.md | A @b.md |
        | /p/b.md | B @a.md |
      And the configured file "/p/a.md"
      When the instructions are loaded
      Then in any order, the loaded files are "/p/a.md", "/p/b.md"
      And a warning is given

  @AMD-CYCLE-03 @documented
  Rule: An import that closes a cycle of three files is skipped with a warning

    Scenario: Three files, each of which imports the next
      Given the files
        | path    | content |
        | /p/a.md | A @b.md |
        | /p/b.md | B @c.md |
        | /p/c.md | C @a.md |
      And the configured file "/p/a.md"
      When the instructions are loaded
      Then in any order, the loaded files are "/p/a.md", "/p/b.md", "/p/c.md"
      And a warning is given

  @AMD-CYCLE-04 @documented
  Rule: If two imported files import one file that imports their importer, this last import is skipped with a warning

    Scenario: Two branches that lead to one file, which imports the configured file
      Given the files
        | path    | content       |
        | /p/a.md | A @b.md @c.md |
        | /p/b.md | B @d.md       |
        | /p/c.md | C @d.md       |
        | /p/d.md | D @a.md       |
      And the configured file "/p/a.md"
      When the instructions are loaded
      Then in any order, the loaded files are "/p/a.md", "/p/b.md", "/p/c.md", "/p/d.md"
      And a warning is given

  @AMD-CYCLE-05 @derived
  Rule: An import that closes a cycle is skipped with a warning even if its path is absolute or begins with "./"

    Scenario Outline: A cycle closed by "<import>"
      Given the files
        | path    | content    |
        | /p/a.md | A @b.md    |
        | /p/b.md | B <import> |
      And the configured file "/p/a.md"
      When the instructions are loaded
      Then in any order, the loaded files are "/p/a.md", "/p/b.md"
      And a warning is given

      Examples:
        | import   |
        | @./a.md  |
        | @/p/a.md |

  @AMD-CYCLE-07 @derived
  Rule: Imports that follow a cyclic import in the same file are loaded

    Scenario: A file that imports itself between two other imports
      Given the files
        | path    | content             |
        | /p/a.md | A @b.md @a.md @c.md |
        | /p/b.md | B                   |
        | /p/c.md | C                   |
      And the configured file "/p/a.md"
      When the instructions are loaded
      Then in any order, the loaded files are "/p/a.md", "/p/b.md", "/p/c.md"

  @AMD-CYCLE-08 @clarified
  Rule: An import cycle between configured files causes a warning

    Scenario: Two configured files that import each other
      Given the files
        | path    | content |
        | /p/a.md | A @b.md |
        | /p/b.md | B @a.md |
      And the configured files "/p/a.md", "/p/b.md"
      When the instructions are loaded
      Then in any order, the loaded files are "/p/a.md", "/p/b.md"
      And a warning is given
