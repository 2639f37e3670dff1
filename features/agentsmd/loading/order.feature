Feature: In which order files are read and shown
  A model reads the files one after the other, as sections of one text. The
  document fixes how configured files follow each other and that an import comes
  after its importer. Everything finer is our choice: depth first, the way
  somebody reads who looks up every import at once.

  @AMD-ORDER-03 @documented
  Rule: Configured files are shown in the configured order

    Scenario: Three files, not in the order of their names
      Given the files
        | path       | content |
        | /p/zeta.md | Last.   |
        | /p/beta.md | Second. |
        | /p/iota.md | Third.  |
      And the configured files "/p/zeta.md", "/p/beta.md", "/p/iota.md"
      When the instructions are loaded
      Then the files shown are "/p/zeta.md", "/p/beta.md", "/p/iota.md"

  @AMD-ORDER-11 @documented
  Rule: Configured files are read in the configured order

    Scenario: Three files without an import
      Given the files
        | path       | content |
        | /p/zeta.md | Last.   |
        | /p/beta.md | Second. |
        | /p/iota.md | Third.  |
      And the configured files "/p/zeta.md", "/p/beta.md", "/p/iota.md"
      When the instructions are loaded
      Then the files read are "/p/zeta.md", "/p/beta.md", "/p/iota.md"

  @AMD-ORDER-12 @documented
  Rule: An imported file is shown after the file that imports it

    Scenario: A chain of three
      Given the files
        | path    | content       |
        | /p/c.md | First @a.md   |
        | /p/a.md | Second @b.md  |
        | /p/b.md | Third         |
      And the configured files "/p/c.md"
      When the instructions are loaded
      Then "/p/a.md" is shown after "/p/c.md"
      And "/p/b.md" is shown after "/p/a.md"

  @AMD-ORDER-01 @clarified
  Rule: A file is followed by its first import with all of that one's imports, then by its second

    Scenario: Two branches, one of them with branches of its own
      Given the files
        | path    | content          |
        | /p/a.md | A @b.md @c.md    |
        | /p/b.md | B @d.md @e.md    |
        | /p/c.md | C @f.md          |
        | /p/d.md | D                |
        | /p/e.md | E                |
        | /p/f.md | F                |
      And the configured files "/p/a.md"
      When the instructions are loaded
      Then the files shown are "/p/a.md", "/p/b.md", "/p/d.md", "/p/e.md", "/p/c.md", "/p/f.md"

  @AMD-ORDER-02 @clarified
  Rule: The imports of one file are shown in the order of their first mention

    Scenario: Mentioned in no order of names, one of them twice
      Given the files
        | path    | content                      |
        | /p/a.md | A @z.md @m.md @b.md @m.md    |
        | /p/b.md | B                            |
        | /p/m.md | M                            |
        | /p/z.md | Z                            |
      And the configured files "/p/a.md"
      When the instructions are loaded
      Then the files shown are "/p/a.md", "/p/z.md", "/p/m.md", "/p/b.md"

  @AMD-ORDER-04 @clarified
  Rule: The imports of a configured file are shown before the next configured file

    Scenario: Two configured files, the first with an import
      Given the files
        | path    | content |
        | /p/a.md | A @i.md |
        | /p/b.md | B       |
        | /p/i.md | I       |
      And the configured files "/p/a.md", "/p/b.md"
      When the instructions are loaded
      Then the files shown are "/p/a.md", "/p/i.md", "/p/b.md"

  @AMD-ORDER-05 @clarified
  Rule: Files are read in the order in which they are shown

    Scenario: Two branches and a second configured file
      Given the files
        | path    | content       |
        | /p/a.md | A @b.md @c.md |
        | /p/b.md | B @d.md       |
        | /p/c.md | C             |
        | /p/d.md | D             |
        | /p/e.md | E             |
      And the configured files "/p/a.md", "/p/e.md"
      When the instructions are loaded
      Then the files read are "/p/a.md", "/p/b.md", "/p/d.md", "/p/c.md", "/p/e.md"
