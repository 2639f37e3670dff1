Feature: Files that the byte limit skips
  A byte limit caps the total size of the instruction files. A configured file that would exceed the limit is
  skipped, unless nothing precedes the file. Imports are skipped once the limit is exceeded. The rules say which files the
  limit skips, what is reported, and from where each load counts.

  @AMD-BUDGET-10 @clarified
  Rule: An import of the first configured file is loaded even if it takes the total size above the byte limit

    Scenario: Two imports, of which the first crosses the limit
      Given files of these sizes
        | path    | bytes | imports          |
        | /p/a.md | 20    | /p/i.md, /p/j.md |
        | /p/i.md | 20    |                  |
        | /p/j.md | 5     |                  |
      And the configured file "/p/a.md"
      And a byte limit of 30
      When the instructions are loaded
      Then the loaded files are "/p/a.md", "/p/i.md"

    Scenario: An import of an import crosses the limit
      Given files of these sizes
        | path    | bytes | imports |
        | /p/a.md | 10    | /p/i.md |
        | /p/i.md | 20    | /p/j.md |
        | /p/j.md | 20    |         |
      And the configured file "/p/a.md"
      And a byte limit of 40
      When the instructions are loaded
      Then the loaded files are "/p/a.md", "/p/i.md", "/p/j.md"

  @AMD-BUDGET-11 @documented
  Rule: A load that skips a file because of the byte limit reports a warning

    Scenario: An import after a file above the limit
      Given files of these sizes
        | path    | bytes | imports |
        | /p/a.md | 30    | /p/i.md |
        | /p/i.md | 5     |         |
      And the configured file "/p/a.md"
      And a byte limit of 20
      When the instructions are loaded
      Then "/p/a.md" is loaded
      And a warning is given

    Scenario: A configured file after a file above the limit
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 30    |
        | /p/b.md | 1     |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 20
      When the instructions are loaded
      Then a warning is given

  @AMD-BUDGET-12 @clarified
  Rule: A configured file after the first that takes the total size above the byte limit, alone or with its imports, is skipped together with its imports

    Scenario: A second configured file that crosses the limit alone
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 10    |
        | /p/b.md | 11    |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 20
      When the instructions are loaded
      Then the only loaded file is "/p/a.md"

    Scenario: A second configured file whose second import crosses the limit
      Given files of these sizes
        | path    | bytes | imports          |
        | /p/a.md | 10    |                  |
        | /p/b.md | 20    | /p/i.md, /p/j.md |
        | /p/i.md | 5     |                  |
        | /p/j.md | 10    |                  |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 40
      When the instructions are loaded
      Then the only loaded file is "/p/a.md"

  @AMD-BUDGET-14 @clarified
  Rule: After a configured file is skipped because of the byte limit, no later configured file is read

    Scenario: Two files after the skipped file, one of them unreadable
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 10    |
        | /p/b.md | 20    |
        | /p/c.md | 1     |
        | /p/d.md | 1     |
      And reading "/p/d.md" fails with a permission error
      And the configured files "/p/a.md", "/p/b.md", "/p/c.md", "/p/d.md"
      And a byte limit of 15
      When the instructions are loaded
      Then the only loaded file is "/p/a.md"
      And "/p/c.md" is not read
      And "/p/d.md" is not read

  @AMD-BUDGET-15 @clarified
  Rule: After a missing or empty first configured file, a next file that exceeds the byte limit is either loaded in full or skipped

    Scenario: A missing first file and a second file above the limit
      Given files of these sizes
        | path    | bytes |
        | /p/b.md | 20    |
      And the configured files "/p/missing.md", "/p/b.md"
      And a byte limit of 10
      When the instructions are loaded
      Then no file is loaded, or only the file "/p/b.md"

    Scenario: A missing first file and a second file that fills the limit exactly
      Given files of these sizes
        | path    | bytes |
        | /p/b.md | 20    |
      And the configured files "/p/missing.md", "/p/b.md"
      And a byte limit of 20
      When the instructions are loaded
      Then the only loaded file is "/p/b.md"

    Scenario: An empty first file and a second file above the limit
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 0     |
        | /p/b.md | 20    |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 10
      When the instructions are loaded
      Then no file is loaded, or only the file "/p/b.md"

  @AMD-BUDGET-16 @derived
  Rule: Missing files and repeated imports do not count toward the byte limit

    Scenario: A missing and a repeated import among files that fill the limit exactly
      Given files of these sizes
        | path    | bytes | imports                           |
        | /p/a.md | 40    | /p/missing.md, /p/i.md, /p/i.md   |
        | /p/i.md | 10    |                                   |
        | /p/b.md | 10    |                                   |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 60
      When the instructions are loaded
      Then in any order, the loaded files are "/p/a.md", "/p/i.md", "/p/b.md"

  @AMD-BUDGET-17 @documented
  Rule: The byte limit never truncates a file

    Scenario: An import that crosses the limit
      Given files of these sizes
        | path    | bytes | imports |
        | /p/a.md | 20    | /p/i.md |
        | /p/i.md | 20    |         |
      And the configured file "/p/a.md"
      And a byte limit of 30
      When the instructions are loaded
      Then the section of "/p/a.md" is 20 bytes long
      And the section of "/p/i.md", if present, is 20 bytes long

    Scenario: A second configured file that crosses the limit
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 10    |
        | /p/b.md | 20    |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 15
      When the instructions are loaded
      Then the section of "/p/a.md" is 10 bytes long
      And the section of "/p/b.md", if present, is 20 bytes long

  @AMD-BUDGET-18 @clarified
  Rule: A warning about the byte limit names the skipped file

    Scenario: A skipped file whose configured path is not normalized
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 10    |
        | /p/b.md | 20    |
      And the configured files "/p/a.md", "/p/./b.md"
      And a byte limit of 15
      When the instructions are loaded
      Then the only file with a warning is "/p/b.md"

  @AMD-BUDGET-19 @derived
  Rule: Each load counts the bytes of its files toward the byte limit from zero

    Scenario: Two runs of one agent
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 8     |
        | /p/b.md | 8     |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 16
      When the agent runs twice
      Then the instructions of run 1 contain "/p/a.md", "/p/b.md"
      And the instructions of run 2 contain "/p/a.md", "/p/b.md"

  @AMD-BUDGET-20 @clarified
  Rule: The bytes of a configured file's imports count before the bytes of the next configured file

    Scenario: An import that crosses the limit before the second configured file
      Given files of these sizes
        | path    | bytes | imports |
        | /p/a.md | 20    | /p/i.md |
        | /p/i.md | 20    |         |
        | /p/b.md | 1     |         |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 30
      When the instructions are loaded
      Then "/p/a.md" is loaded
      And "/p/i.md" and "/p/b.md" are not both loaded

    Scenario: An import that leaves room for the second configured file
      Given files of these sizes
        | path    | bytes | imports |
        | /p/a.md | 20    | /p/i.md |
        | /p/i.md | 5     |         |
        | /p/b.md | 1     |         |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 30
      When the instructions are loaded
      Then "/p/i.md" is loaded
      And "/p/b.md" is loaded
