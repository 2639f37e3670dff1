Feature: Each file once
  However many ways lead to a file, it is read once and shown once in one load,
  and nobody is warned about the other ways. A file is its path, in normal form.

  @AMD-DEDUP-01 @documented
  Rule: A file that several files import is read once and shown once

    Scenario: Two importers
      Given the files
        | path    | content       |
        | /p/a.md | A @b.md @c.md |
        | /p/b.md | B @d.md       |
        | /p/c.md | C @d.md       |
        | /p/d.md | D             |
      And the configured files "/p/a.md"
      When the instructions are loaded
      Then in any order, the files shown are "/p/a.md", "/p/b.md", "/p/c.md", "/p/d.md"
      And "/p/d.md" is read 1 time

  @AMD-DEDUP-02 @documented
  Rule: That holds across configured files

    Scenario: Two configured files with one import
      Given the files
        | path    | content |
        | /p/a.md | A @i.md |
        | /p/b.md | B @i.md |
        | /p/i.md | I       |
      And the configured files "/p/a.md", "/p/b.md"
      When the instructions are loaded
      Then in any order, the files shown are "/p/a.md", "/p/i.md", "/p/b.md"
      And "/p/i.md" is read 1 time

  @AMD-DEDUP-03 @derived
  Rule: An import repeated in one file counts once

    Scenario: Mentioned three times
      Given the files
        | path    | content                     |
        | /p/a.md | A @b.md and @b.md and @b.md |
        | /p/b.md | B                           |
      And the configured files "/p/a.md"
      When the instructions are loaded
      Then in any order, the files shown are "/p/a.md", "/p/b.md"
      And "/p/b.md" is read 1 time

  @AMD-DEDUP-04 @derived
  Rule: A path configured twice counts once

    Scenario: The same path, with another between
      Given the files
        | path    | content |
        | /p/a.md | A       |
        | /p/b.md | B       |
      And the configured files "/p/a.md", "/p/b.md", "/p/a.md"
      When the instructions are loaded
      Then the files shown are "/p/a.md", "/p/b.md"
      And "/p/a.md" is read 1 time

  @AMD-DEDUP-05 @derived
  Rule: Spellings of one path count as one

    Scenario: Bare, with a dot, and in full
      Given the files
        | path    | content                    |
        | /p/a.md | A @b.md @./b.md @/p/b.md   |
        | /p/b.md | B                          |
      And the configured files "/p/a.md"
      When the instructions are loaded
      Then in any order, the files shown are "/p/a.md", "/p/b.md"
      And "/p/b.md" is read 1 time

  @AMD-DEDUP-11 @clarified
  Rule: So do spellings with empty segments or a way out and back

    Scenario: By way of another folder, and with slashes to spare
      Given the files
        | path    | content                              |
        | /p/a.md | A @b.md @x/../b.md @//p/b.md @/p//b.md |
        | /p/b.md | B                                    |
      And the configured files "/p/a.md"
      When the instructions are loaded
      Then in any order, the files shown are "/p/a.md", "/p/b.md"
      And "/p/b.md" is read 1 time
      And no warning is given

  @AMD-DEDUP-06 @derived
  Rule: A file that is configured and imported counts once

    Scenario: Imported before its turn
      Given the files
        | path    | content |
        | /p/a.md | A @b.md |
        | /p/b.md | B       |
      And the configured files "/p/a.md", "/p/b.md"
      When the instructions are loaded
      Then the files shown are "/p/a.md", "/p/b.md"
      And "/p/b.md" is read 1 time

    Scenario: Configured before its import
      Given the files
        | path    | content |
        | /p/a.md | A       |
        | /p/z.md | Z @a.md |
      And the configured files "/p/a.md", "/p/z.md"
      When the instructions are loaded
      Then the files shown are "/p/a.md", "/p/z.md"
      And "/p/a.md" is read 1 time

  @AMD-DEDUP-07 @clarified
  Rule: A repeated path gives no warning

    Scenario: Configured twice, imported twice
      Given the files
        | path    | content       |
        | /p/a.md | A @b.md @b.md |
        | /p/b.md | B             |
      And the configured files "/p/a.md", "/p/a.md", "/p/b.md"
      When the instructions are loaded
      Then "/p/b.md" is read at least once
      And no warning is given

    Scenario: Two files that import the same third one
      Given the files
        | path    | content       |
        | /p/a.md | A @b.md @c.md |
        | /p/b.md | B @d.md       |
        | /p/c.md | C @d.md       |
        | /p/d.md | D             |
      And the configured files "/p/a.md"
      When the instructions are loaded
      Then "/p/d.md" is shown
      And no warning is given

  @AMD-DEDUP-08 @clarified
  Rule: A file is its path: case counts, equal content does not, and relative is not absolute

    Scenario: Names that differ in case, with equal content
      Given the files
        | path    | content       |
        | /p/a.md | A @./b.md @./B.md |
        | /p/b.md | The same.     |
        | /p/B.md | The same.     |
      And the configured files "/p/a.md"
      When the instructions are loaded
      Then in any order, the files shown are "/p/a.md", "/p/b.md", "/p/B.md"

    Scenario: A relative and an absolute path
      Given the files
        | path  | content |
        | a.md  | One.    |
        | /a.md | Two.    |
      And the configured files "a.md", "/a.md"
      When the instructions are loaded
      Then the files shown are "a.md", "/a.md"

  @AMD-DEDUP-09 @clarified
  Rule: A missing file mentioned several times is warned about at least once

    Scenario: Three mentions of nothing
      Given an instructions file that says "@b.md @b.md @b.md"
      When the instructions are loaded
      Then the warnings name "/project/b.md"

  @AMD-DEDUP-10 @derived
  Rule: An empty file is read once, too

    Scenario: Two mentions of an empty file
      Given the files
        | path    | content       |
        | /p/a.md | A @b.md @b.md |
        | /p/b.md |               |
      And the configured files "/p/a.md"
      When the instructions are loaded
      Then "/p/b.md" is read 1 time
