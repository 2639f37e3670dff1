Feature: The byte limit
  All files together may be limited in bytes. What counts are the bytes of the
  files as they were read. Once more than the limit has been read, nothing more
  is shown; but no file is ever cut, and the first one always stays.

  In the tables, a file of 12 bytes is one whose content is 12 bytes long, the
  words that import others included.

  @AMD-BUDGET-01 @documented
  Rule: A limit of zero is no limit

    Scenario: Many bytes
      Given files of these sizes
        | path    | bytes  |
        | /p/a.md | 100000 |
        | /p/b.md | 100000 |
        | /p/c.md | 1      |
      And the configured files "/p/a.md", "/p/b.md", "/p/c.md"
      And a byte limit of 0
      When the instructions are loaded
      Then the files shown are "/p/a.md", "/p/b.md", "/p/c.md"

  @AMD-BUDGET-02 @documented
  Rule: The first file is shown whole, even when it is above the limit by itself

    Scenario: Ten bytes under a limit of one
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 10    |
      And the configured files "/p/a.md"
      And a byte limit of 1
      When the instructions are loaded
      Then the section of "/p/a.md" is 10 bytes long

  @AMD-BUDGET-03 @derived
  Rule: What counts are the bytes as they were read

    Scenario Outline: "<content>" under a limit of <limit>
      Given the files
        | path    | content   |
        | /p/a.md | <content> |
        | /p/b.md | B         |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of <limit>
      When the instructions are loaded
      Then the files shown are <shown>

      Examples: more bytes than the limit
        | content          | limit | shown   |
        | 规则               | 5     | /p/a.md |
        | 😀               | 3     | /p/a.md |
        | \ufeffab         | 4     | /p/a.md |
        | a\r\n\r\nb       | 5     | /p/a.md |
        | a\x20\x20\x20    | 3     | /p/a.md |

      Examples: room for one byte more
        | content          | limit | shown            |
        | 规则               | 7     | /p/a.md, /p/b.md |
        | 😀               | 5     | /p/a.md, /p/b.md |
        | \ufeffab         | 6     | /p/a.md, /p/b.md |
        | a\r\n\r\nb       | 7     | /p/a.md, /p/b.md |
        | a\x20\x20\x20    | 5     | /p/a.md, /p/b.md |

  @AMD-BUDGET-04 @documented
  Rule: Reaching the limit is not exceeding it

    Scenario: Two configured files, to the byte
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 6     |
        | /p/b.md | 6     |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 12
      When the instructions are loaded
      Then the files shown are "/p/a.md", "/p/b.md"

    Scenario: A configured file and its import, to the byte
      Given files of these sizes
        | path    | bytes | imports |
        | /p/a.md | 20    | /p/i.md |
        | /p/i.md | 5     |         |
      And the configured files "/p/a.md"
      And a byte limit of 25
      When the instructions are loaded
      Then in any order, the files shown are "/p/a.md", "/p/i.md"
      And no warning is given

  @AMD-BUDGET-05 @derived
  Rule: One byte more exceeds it

    Scenario: The first file is one byte too long
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 11    |
        | /p/b.md | 1     |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 10
      When the instructions are loaded
      Then the files shown are "/p/a.md"

    Scenario: The importing file is one byte too long
      Given files of these sizes
        | path    | bytes | imports |
        | /p/a.md | 11    | /p/i.md |
        | /p/i.md | 1     |         |
      And the configured files "/p/a.md"
      And a byte limit of 10
      When the instructions are loaded
      Then "/p/a.md" is shown
      And "/p/i.md" is not shown

  @AMD-BUDGET-06 @derived
  Rule: Once it is exceeded, every later configured file is left out, however small

    Scenario: Three small files after a large one
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 30    |
        | /p/b.md | 9     |
        | /p/c.md | 1     |
        | /p/d.md | 1     |
      And the configured files "/p/a.md", "/p/b.md", "/p/c.md", "/p/d.md"
      And a byte limit of 20
      When the instructions are loaded
      Then the files shown are "/p/a.md"

  @AMD-BUDGET-07 @clarified
  Rule: Headings, header and footer cost nothing

    Scenario: Two bytes in two files under a limit of two
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 1     |
        | /p/b.md | 1     |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 2
      When the instructions are loaded
      Then the files shown are "/p/a.md", "/p/b.md"

  @AMD-BUDGET-08 @derived
  Rule: The bytes of imports count

    Scenario: Two imports, each longer than what the limit leaves
      Given files of these sizes
        | path    | bytes | imports          |
        | /p/a.md | 20    | /p/i.md, /p/j.md |
        | /p/i.md | 20    |                  |
        | /p/j.md | 20    |                  |
      And the configured files "/p/a.md"
      And a byte limit of 30
      When the instructions are loaded
      Then "/p/a.md" is shown
      And "/p/i.md" and "/p/j.md" are not both shown

  @AMD-BUDGET-09 @documented
  Rule: Once it is exceeded, further imports are left out

    Scenario: The importing file is itself too long
      Given files of these sizes
        | path    | bytes | imports |
        | /p/a.md | 30    | /p/i.md |
        | /p/i.md | 5     |         |
      And the configured files "/p/a.md"
      And a byte limit of 20
      When the instructions are loaded
      Then "/p/a.md" is shown
      And "/p/i.md" is not shown

    Scenario: An import on the way is too long for those below it
      Given files of these sizes
        | path    | bytes | imports |
        | /p/a.md | 20    | /p/i.md |
        | /p/i.md | 20    | /p/j.md |
        | /p/j.md | 5     |         |
      And the configured files "/p/a.md"
      And a byte limit of 30
      When the instructions are loaded
      Then "/p/a.md" is shown
      And "/p/j.md" is not shown

  @AMD-BUDGET-10 @clarified
  Rule: In the first configured file's group, the import that passes the limit stays

    Scenario: The import that passes it, and the one after
      Given files of these sizes
        | path    | bytes | imports          |
        | /p/a.md | 20    | /p/i.md, /p/j.md |
        | /p/i.md | 20    |                  |
        | /p/j.md | 5     |                  |
      And the configured files "/p/a.md"
      And a byte limit of 30
      When the instructions are loaded
      Then the files shown are "/p/a.md", "/p/i.md"

  @AMD-BUDGET-11 @documented
  Rule: Whenever the limit leaves something out, a warning is given

    Scenario: An import is left out
      Given files of these sizes
        | path    | bytes | imports |
        | /p/a.md | 30    | /p/i.md |
        | /p/i.md | 5     |         |
      And the configured files "/p/a.md"
      And a byte limit of 20
      When the instructions are loaded
      Then a warning is given

    Scenario: A configured file is left out
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 30    |
        | /p/b.md | 1     |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 20
      When the instructions are loaded
      Then a warning is given

  @AMD-BUDGET-12 @clarified
  Rule: A later configured file that passes the limit, itself or by its imports, is left out with all its imports

    Scenario: It is too long itself
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 10    |
        | /p/b.md | 11    |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 20
      When the instructions are loaded
      Then the files shown are "/p/a.md"

    Scenario: Only its second import is too long
      Given files of these sizes
        | path    | bytes | imports          |
        | /p/a.md | 10    |                  |
        | /p/b.md | 20    | /p/i.md, /p/j.md |
        | /p/i.md | 5     |                  |
        | /p/j.md | 10    |                  |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 40
      When the instructions are loaded
      Then the files shown are "/p/a.md"

  @AMD-BUDGET-14 @clarified
  Rule: After a configured file was left out for the limit, no later one is read

    Scenario: Two more files, one of them forbidden
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
      Then the files shown are "/p/a.md"
      And "/p/c.md" is not read
      And "/p/d.md" is not read

  @AMD-BUDGET-15 @clarified
  Rule: With the first configured file missing or empty, the file that always stays is the first listed or the first loaded

    Scenario: The first one is missing
      Given files of these sizes
        | path    | bytes |
        | /p/b.md | 20    |
      And the configured files "/p/missing.md", "/p/b.md"
      And a byte limit of 10
      When the instructions are loaded
      Then nothing is shown, or the files "/p/b.md"

    Scenario: The first one is missing, and the second reaches the limit
      Given files of these sizes
        | path    | bytes |
        | /p/b.md | 20    |
      And the configured files "/p/missing.md", "/p/b.md"
      And a byte limit of 20
      When the instructions are loaded
      Then the files shown are "/p/b.md"

    Scenario: The first one is empty
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 0     |
        | /p/b.md | 20    |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 10
      When the instructions are loaded
      Then nothing is shown, or the files "/p/b.md"

  @AMD-BUDGET-16 @derived
  Rule: Missing files and repeated mentions cost nothing

    Scenario: To the byte, with a file missing and another mentioned twice
      Given files of these sizes
        | path    | bytes | imports                           |
        | /p/a.md | 40    | /p/missing.md, /p/i.md, /p/i.md   |
        | /p/i.md | 10    |                                   |
        | /p/b.md | 10    |                                   |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 60
      When the instructions are loaded
      Then in any order, the files shown are "/p/a.md", "/p/i.md", "/p/b.md"

  @AMD-BUDGET-17 @documented
  Rule: No file is cut

    Scenario: An import that passes the limit, and its importer
      Given files of these sizes
        | path    | bytes | imports |
        | /p/a.md | 20    | /p/i.md |
        | /p/i.md | 20    |         |
      And the configured files "/p/a.md"
      And a byte limit of 30
      When the instructions are loaded
      Then the section of "/p/a.md" is 20 bytes long
      And the section of "/p/i.md", if it is shown, is 20 bytes long

    Scenario: A second configured file that passes the limit
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 10    |
        | /p/b.md | 20    |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 15
      When the instructions are loaded
      Then the section of "/p/a.md" is 10 bytes long
      And the section of "/p/b.md", if it is shown, is 20 bytes long

  @AMD-BUDGET-18 @clarified
  Rule: The warning names the file that was left out, in whatever spelling

    Scenario: A configured path with a dot in it
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 10    |
        | /p/b.md | 20    |
      And the configured files "/p/a.md", "/p/./b.md"
      And a byte limit of 15
      When the instructions are loaded
      Then the warnings name "/p/b.md"

  @AMD-BUDGET-19 @derived
  Rule: Every load starts counting at zero

    Scenario: Two runs of one agent
      Given files of these sizes
        | path    | bytes |
        | /p/a.md | 8     |
        | /p/b.md | 8     |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 16
      When the agent runs twice
      Then the instructions of run 1 show "/p/a.md", "/p/b.md"
      And the instructions of run 2 show "/p/a.md", "/p/b.md"

  @AMD-BUDGET-20 @clarified
  Rule: The bytes of imports count before those of the next configured file

    Scenario: An import uses up what the configured file has left
      Given files of these sizes
        | path    | bytes | imports |
        | /p/a.md | 20    | /p/i.md |
        | /p/i.md | 20    |         |
        | /p/b.md | 1     |         |
      And the configured files "/p/a.md", "/p/b.md"
      And a byte limit of 30
      When the instructions are loaded
      Then "/p/a.md" is shown
      And "/p/i.md" and "/p/b.md" are not both shown
