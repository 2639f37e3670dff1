Feature: The byte limit
  A byte limit caps the total size of the instruction files. Files are never
  truncated: once the limit is exceeded, the files that follow are skipped. The
  first file is always loaded in full, even if that file alone exceeds the limit.

  The sizes in the tables include the imports in the text of a file. A file
  "crosses" the limit if the total size exceeds the limit with that file, but not
  without it. The loaded files are the files whose content the instructions contain.

  @AMD-BUDGET-01 @documented
  Rule: A byte limit of zero means no limit

    Scenario: 200001 bytes in three files
      Given files of these sizes
        | path    | bytes  |
        | /p/a.md | 100000 |
        | /p/b.md | 100000 |
        | /p/c.md | 1      |
      And the configured files "/p/a.md", "/p/b.md", "/p/c.md"
      And a byte limit of 0
      When the instructions are loaded
      Then the loaded files are "/p/a.md", "/p/b.md", "/p/c.md"
      And the section of "/p/b.md" is 100000 bytes long

  @AMD-BUDGET-02 @documented
  Rule: A first file that exceeds the byte limit alone is loaded in full

    Scenario: A file of 10 bytes with a limit of 1 byte
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 10    |
      And the configured file "/p/a.md"
      And a byte limit of 1
      When the instructions are loaded
      Then the section of "/p/a.md" is 10 bytes long

    Scenario Outline: The configured files <configured>, of 10 and 2 bytes, with a limit of <limit> bytes
      Given files of these sizes
        | path    | bytes | imports |
        | /p/a.md | 10    |         |
        | /p/c.md | 10    | b.md    |
        | /p/b.md | 2     |         |
      And the configured files <configured>
      And a byte limit of <limit>
      When the instructions are loaded
      Then the section of "<first>" is 10 bytes long

      Examples: a second file that fits
        | configured           | first   | limit |
        | "/p/a.md", "/p/b.md" | /p/a.md | 9     |
        | "/p/a.md", "/p/b.md" | /p/a.md | 2     |

      Examples: a second file that the first one imports
        | configured           | first   | limit |
        | "/p/c.md", "/p/b.md" | /p/c.md | 2     |

  @AMD-BUDGET-03 @derived
  Rule: The byte limit counts the bytes of each file as the backend returns them

    Scenario Outline: "<content>" with a limit of <limit> bytes
      Given the files
        | path    | content   |
        | /p/a.md | <content> |
        | /p/b.md | B         |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of <limit>
      When the instructions are loaded
      Then the loaded files are <loaded>

      Examples: one byte above the limit
        | content       | limit | loaded    |
        | 规则            | 5     | "/p/a.md" |
        | 😀             | 3     | "/p/a.md" |
        | \ufeffab      | 4     | "/p/a.md" |
        | a\r\n\r\nb    | 5     | "/p/a.md" |
        | a\x20\x20\x20 | 3     | "/p/a.md" |
        | a\xff\xfeb    | 3     | "/p/a.md" |

      Examples: exactly the limit together with a second file of one byte
        | content       | limit | loaded               |
        | 规则            | 7     | "/p/a.md", "/p/b.md" |
        | 😀             | 5     | "/p/a.md", "/p/b.md" |
        | \ufeffab      | 6     | "/p/a.md", "/p/b.md" |
        | a\r\n\r\nb    | 7     | "/p/a.md", "/p/b.md" |
        | a\x20\x20\x20 | 5     | "/p/a.md", "/p/b.md" |

  @AMD-BUDGET-04 @documented
  Rule: A total size equal to the byte limit does not exceed the limit

    Scenario: Two configured files that fill the limit exactly
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 6     |
        | /p/b.md | 6     |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 12
      When the instructions are loaded
      Then the loaded files are "/p/a.md", "/p/b.md"

    Scenario: A configured file and its import that fill the limit exactly
      Given files of these sizes
        | path    | bytes | imports |
        | /p/a.md | 20    | /p/i.md |
        | /p/i.md | 5     |         |
      And the configured file "/p/a.md"
      And a byte limit of 25
      When the instructions are loaded
      Then in any order, the loaded files are "/p/a.md", "/p/i.md"
      And no warning is given

  @AMD-BUDGET-05 @derived
  Rule: If the total size is one byte above the byte limit, the files that follow are skipped

    Scenario: A first file of one byte more than the limit
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 2     |
        | /p/b.md | 1     |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 1
      When the instructions are loaded
      Then the only loaded file is "/p/a.md"

    Scenario: An importing file of one byte more than the limit
      Given files of these sizes
        | path    | bytes | imports |
        | /p/a.md | 11    | /p/i.md |
        | /p/i.md | 1     |         |
      And the configured file "/p/a.md"
      And a byte limit of 10
      When the instructions are loaded
      Then "/p/a.md" is loaded
      And "/p/i.md" is not loaded

  @AMD-BUDGET-06 @derived
  Rule: Once the byte limit is exceeded, every later configured file is skipped

    Scenario: Three small files after a file above the limit
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 30    |
        | /p/b.md | 9     |
        | /p/c.md | 1     |
        | /p/d.md | 1     |
      And the configured files "/p/a.md", "/p/b.md", "/p/c.md", "/p/d.md"
      And a byte limit of 20
      When the instructions are loaded
      Then the only loaded file is "/p/a.md"

    Scenario: A small file after a file above the limit, in a run
      Given the instruction file "/p/a.md" containing "Answer in French."
      And the instruction file "/p/b.md" containing "Be brief."
      And a byte limit of 10
      When the agent runs
      Then the instructions contain "Answer in French."
      And the instructions do not contain "Be brief."

  @AMD-BUDGET-07 @clarified
  Rule: The header, the headings and the footer of the instructions do not count toward the byte limit

    Scenario: Two files of 1 byte with a limit of 2 bytes
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 1     |
        | /p/b.md | 1     |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 2
      When the instructions are loaded
      Then the loaded files are "/p/a.md", "/p/b.md"
      And the files read are "/p/a.md", "/p/b.md"

  @AMD-BUDGET-08 @derived
  Rule: The bytes of imported files count toward the byte limit

    Scenario: Two imports, each larger than the rest of the limit
      Given files of these sizes
        | path    | bytes | imports          |
        | /p/a.md | 20    | /p/i.md, /p/j.md |
        | /p/i.md | 20    |                  |
        | /p/j.md | 20    |                  |
      And the configured file "/p/a.md"
      And a byte limit of 30
      When the instructions are loaded
      Then "/p/a.md" is loaded
      And "/p/i.md" and "/p/j.md" are not both loaded

    Scenario: Two imports that fill the limit together
      Given files of these sizes
        | path    | bytes | imports          |
        | /p/a.md | 20    | /p/i.md, /p/j.md |
        | /p/i.md | 5     |                  |
        | /p/j.md | 5     |                  |
      And the configured file "/p/a.md"
      And a byte limit of 30
      When the instructions are loaded
      Then "/p/i.md" is loaded
      And "/p/j.md" is loaded

  @AMD-BUDGET-09 @documented
  Rule: Once the byte limit is exceeded, later imports are skipped

    Scenario: An import in a file above the limit
      Given files of these sizes
        | path    | bytes | imports |
        | /p/a.md | 30    | /p/i.md |
        | /p/i.md | 5     |         |
      And the configured file "/p/a.md"
      And a byte limit of 20
      When the instructions are loaded
      Then "/p/a.md" is loaded
      And "/p/i.md" is not loaded

    Scenario: An import chain whose second file crosses the limit
      Given files of these sizes
        | path    | bytes | imports |
        | /p/a.md | 20    | /p/i.md |
        | /p/i.md | 20    | /p/j.md |
        | /p/j.md | 5     |         |
      And the configured file "/p/a.md"
      And a byte limit of 30
      When the instructions are loaded
      Then "/p/a.md" is loaded
      And "/p/j.md" is not loaded

    Scenario: An import in a file below the limit
      Given files of these sizes
        | path    | bytes | imports |
        | /p/a.md | 20    | /p/i.md |
        | /p/i.md | 5     |         |
      And the configured file "/p/a.md"
      And a byte limit of 30
      When the instructions are loaded
      Then "/p/i.md" is loaded
