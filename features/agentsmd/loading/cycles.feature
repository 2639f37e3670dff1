Feature: Files that import themselves
  Imports may lead back to a file that is still being loaded, directly or by
  way of others. Such an import is left out, so that loading ends, and it is
  warned about, since nobody means it.

  Known implementations get this wrong in silence: a list of files already
  loaded, asked first, hides the circle.

  @AMD-CYCLE-01 @documented
  Rule: A file that imports itself is loaded once, and a warning is given

    Scenario: An import of oneself
      Given the configured files "/p/a.md"
      And the file "/p/a.md" holding "A @a.md"
      When the instructions are loaded
      Then the files shown are "/p/a.md"
      And a warning is given

  @AMD-CYCLE-02 @documented
  Rule: Two files that import each other are loaded once each, and a warning is given

    Scenario: There and back
      Given the files
        | path    | content |
        | /p/a.md | A @b.md |
        | /p/b.md | B @a.md |
      And the configured files "/p/a.md"
      When the instructions are loaded
      Then in any order, the files shown are "/p/a.md", "/p/b.md"
      And a warning is given

  @AMD-CYCLE-03 @documented
  Rule: Three files in a circle are loaded once each, and a warning is given

    Scenario: The long way back
      Given the files
        | path    | content |
        | /p/a.md | A @b.md |
        | /p/b.md | B @c.md |
        | /p/c.md | C @a.md |
      And the configured files "/p/a.md"
      When the instructions are loaded
      Then in any order, the files shown are "/p/a.md", "/p/b.md", "/p/c.md"
      And a warning is given

  @AMD-CYCLE-04 @documented
  Rule: Below a fork, an import cycle is left out and gives a warning

    Scenario: Two ways to the file that closes the circle
      Given the files
        | path    | content       |
        | /p/a.md | A @b.md @c.md |
        | /p/b.md | B @d.md       |
        | /p/c.md | C @d.md       |
        | /p/d.md | D @a.md       |
      And the configured files "/p/a.md"
      When the instructions are loaded
      Then in any order, the files shown are "/p/a.md", "/p/b.md", "/p/c.md", "/p/d.md"
      And a warning is given

  @AMD-CYCLE-05 @derived
  Rule: A circle is noticed however the path is written

    Scenario Outline: A circle closed by "<import>"
      Given the files
        | path    | content    |
        | /p/a.md | A @b.md    |
        | /p/b.md | B <import> |
      And the configured files "/p/a.md"
      When the instructions are loaded
      Then in any order, the files shown are "/p/a.md", "/p/b.md"
      And a warning is given

      Examples:
        | import    |
        | @./a.md   |
        | @/p/a.md  |

  @AMD-CYCLE-07 @derived
  Rule: After a circular import, the file's other imports are still followed

    Scenario: An import of oneself between two others
      Given the files
        | path    | content             |
        | /p/a.md | A @b.md @a.md @c.md |
        | /p/b.md | B                   |
        | /p/c.md | C                   |
      And the configured files "/p/a.md"
      When the instructions are loaded
      Then in any order, the files shown are "/p/a.md", "/p/b.md", "/p/c.md"

  @AMD-CYCLE-08 @clarified
  Rule: An import cycle between configured files gives a warning

    Scenario: Two configured files that import each other
      Given the files
        | path    | content |
        | /p/a.md | A @b.md |
        | /p/b.md | B @a.md |
      And the configured files "/p/a.md", "/p/b.md"
      When the instructions are loaded
      Then in any order, the files shown are "/p/a.md", "/p/b.md"
      And a warning is given
