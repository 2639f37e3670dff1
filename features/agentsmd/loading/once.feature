Feature: Loading each file once
  Several imports can lead to the same file. One load reads and inserts each file
  once. The normalized path identifies a file. The loaded files are the files whose
  content the instructions contain.

  @AMD-DEDUP-01 @documented
  Rule: A file that several files import is read and inserted once

    Scenario: Two importing files
      Given the files
        | path    | content       |
        | /p/a.md | A @b.md @c.md |
        | /p/b.md | B @d.md       |
        | /p/c.md | C @d.md       |
        | /p/d.md | D             |
      And the configured file "/p/a.md"
      When the instructions are loaded
      Then in any order, the loaded files are "/p/a.md", "/p/b.md", "/p/c.md", "/p/d.md"
      And "/p/d.md" is read 1 time

  @AMD-DEDUP-02 @documented
  Rule: A file already loaded through one configured file is not loaded again through another

    Scenario: Two configured files with the same import
      Given the files
        | path    | content |
        | /p/a.md | A @i.md |
        | /p/b.md | B @i.md |
        | /p/i.md | I       |
      And the configured files "/p/a.md", "/p/b.md"
      When the instructions are loaded
      Then in any order, the loaded files are "/p/a.md", "/p/i.md", "/p/b.md"
      And "/p/i.md" is read 1 time

  @AMD-DEDUP-03 @derived
  Rule: A file that another file imports several times is read and inserted once

    Scenario: Three imports of the same path
      Given the files
        | path    | content                     |
        | /p/a.md | A @b.md and @b.md and @b.md |
        | /p/b.md | B                           |
      And the configured file "/p/a.md"
      When the instructions are loaded
      Then in any order, the loaded files are "/p/a.md", "/p/b.md"
      And "/p/b.md" is read 1 time

  @AMD-DEDUP-04 @derived
  Rule: A file that is configured twice is read and inserted once

    Scenario: One path before and after another path
      Given the files
        | path    | content |
        | /p/a.md | A       |
        | /p/b.md | B       |
        | /p/c.md | C       |
      And the configured files "/p/a.md", "/p/b.md", "/p/a.md", "/p/c.md"
      When the instructions are loaded
      Then the loaded files are "/p/a.md", "/p/b.md", "/p/c.md"
      And "/p/a.md" is read 1 time

  @AMD-DEDUP-05 @derived
  Rule: A relative path, the same path after "./" and its absolute path name the same file

    Scenario: A bare, a dotted and an absolute path
      Given the files
        | path    | content                  |
        | /p/a.md | A @b.md @./b.md @/p/b.md |
        | /p/b.md | B                        |
      And the configured file "/p/a.md"
      When the instructions are loaded
      Then in any order, the loaded files are "/p/a.md", "/p/b.md"
      And "/p/b.md" is read 1 time

  @AMD-DEDUP-11 @clarified
  Rule: Paths that are equal after normalization name the same file

    Scenario: A relative path with and without "./"
      Given the file "p/a.md" containing "A"
      And the configured files "./p/a.md", "p/a.md"
      When the instructions are loaded
      Then the only file read is "p/a.md"
      And the only loaded file is "p/a.md"

    Scenario: Paths with a detour, two leading slashes and a double slash
      Given the files
        | path    | content                                |
        | /p/a.md | A @b.md @x/../b.md @//p/b.md @/p//b.md |
        | /p/b.md | B                                      |
      And the configured file "/p/a.md"
      When the instructions are loaded
      Then in any order, the loaded files are "/p/a.md", "/p/b.md"
      And "/p/b.md" is read 1 time
      And no warning is given

  @AMD-DEDUP-06 @derived
  Rule: A file that is both configured and imported is read and inserted once

    Scenario: Imported before the loader reaches the configured path
      Given the files
        | path    | content |
        | /p/a.md | A @b.md |
        | /p/b.md | B       |
      And the configured files "/p/a.md", "/p/b.md"
      When the instructions are loaded
      Then the loaded files are "/p/a.md", "/p/b.md"
      And "/p/b.md" is read 1 time

    Scenario: Configured before the importing file
      Given the files
        | path    | content |
        | /p/a.md | A       |
        | /p/z.md | Z @a.md |
      And the configured files "/p/a.md", "/p/z.md"
      When the instructions are loaded
      Then the loaded files are "/p/a.md", "/p/z.md"
      And "/p/a.md" is read 1 time

  @AMD-DEDUP-07 @clarified
  Rule: A repeated path causes no warning

    Scenario: A path configured twice and a path imported twice
      Given the files
        | path    | content       |
        | /p/a.md | A @b.md @b.md |
        | /p/b.md | B             |
      And the configured files "/p/a.md", "/p/a.md", "/p/b.md"
      When the instructions are loaded
      Then "/p/b.md" is read at least once
      And no warning is given

    Scenario: Two files that import the same third file
      Given the files
        | path    | content       |
        | /p/a.md | A @b.md @c.md |
        | /p/b.md | B @d.md       |
        | /p/c.md | C @d.md       |
        | /p/d.md | D             |
      And the configured file "/p/a.md"
      When the instructions are loaded
      Then "/p/d.md" is loaded
      And no warning is given

    Scenario: A loaded file that is imported on level 6
      Given the configured file "/p/level0.md"
      And the files
        | path         | content                          |
        | /p/level0.md | Level 0 @short.md and @level1.md |
        | /p/level1.md | Level 1 @level2.md               |
        | /p/level2.md | Level 2 @level3.md               |
        | /p/level3.md | Level 3 @level4.md               |
        | /p/level4.md | Level 4 @level5.md               |
        | /p/level5.md | Level 5 @short.md                |
        | /p/short.md  | Short                            |
      When the instructions are loaded
      Then "/p/short.md" is loaded
      And "/p/level5.md" is loaded
      And no warning is given

    Scenario: An empty file that two files import
      Given the files
        | path    | content       |
        | /p/a.md | A @e.md @b.md |
        | /p/b.md | B @e.md       |
        | /p/e.md |               |
      And the configured file "/p/a.md"
      When the instructions are loaded
      Then the loaded files are "/p/a.md", "/p/b.md"
      And no warning is given

  @AMD-DEDUP-08 @clarified
  Rule: Paths that differ after normalization name different files

    Scenario: Paths that differ in case, with the same content
      Given the files
        | path    | content           |
        | /p/a.md | A @./b.md @./B.md |
        | /p/b.md | The same.         |
        | /p/B.md | The same.         |
      And the configured file "/p/a.md"
      When the instructions are loaded
      Then in any order, the loaded files are "/p/a.md", "/p/b.md", "/p/B.md"

    Scenario: A relative and an absolute path
      Given the files
        | path  | content |
        | a.md  | One.    |
        | /a.md | Two.    |
      And the configured files "a.md", "/a.md"
      When the instructions are loaded
      Then the loaded files are "a.md", "/a.md"

    Scenario: Paths that begin or end alike
      Given the files
        | path        | content                                 |
        | /p/a.md     | A @b.md @ab.md @b.md.txt @q/b.md @qb.md |
        | /p/b.md     | 1                                       |
        | /p/ab.md    | 2                                       |
        | /p/b.md.txt | 3                                       |
        | /p/q/b.md   | 4                                       |
        | /p/qb.md    | 5                                       |
      And the configured file "/p/a.md"
      When the instructions are loaded
      Then in any order, the loaded files are "/p/a.md", "/p/b.md", "/p/ab.md", "/p/b.md.txt", "/p/q/b.md", "/p/qb.md"
      And no warning is given

  @AMD-DEDUP-09 @clarified
  Rule: A missing file that is imported several times causes at least one warning

    Scenario: Three imports of a missing file
      Given an instruction file containing "@b.md @b.md @b.md"
      When the instructions are loaded
      Then the only file with a warning is "/project/b.md"

  @AMD-DEDUP-10 @derived
  Rule: An empty file that is imported several times is read once

    Scenario: Two imports of an empty file
      Given the files
        | path    | content       |
        | /p/a.md | A @b.md @b.md |
        | /p/b.md |               |
      And the configured file "/p/a.md"
      When the instructions are loaded
      Then "/p/b.md" is read 1 time

    Scenario Outline: An empty file that is imported and <again>
      Given the files
        | path    | content       |
        | /p/a.md | A @b.md @c.md |
        | /p/c.md | C <import>    |
        | /p/d.md | D @b.md       |
        | /p/b.md |               |
      And the configured files <files>
      When the instructions are loaded
      Then "/p/b.md" is read 1 time

      Examples:
        | again                         | import  | files                |
        | imported by another file      | @./b.md | "/p/a.md"            |
        | imported by a configured file | nothing | "/p/a.md", "/p/d.md" |
        | configured after the import   | nothing | "/p/a.md", "/p/b.md" |
        | configured before the import  | nothing | "/p/b.md", "/p/a.md" |
