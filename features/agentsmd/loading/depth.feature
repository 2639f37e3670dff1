Feature: The depth of imports
  An imported file can import further files. The loader follows such a chain of
  imports up to five levels: a configured file is on level 0, and its imports are
  on level 1. The load continues without the files that are too deep. The loaded
  files are the files whose content the instructions contain.

  The import chain of an example is configured and named by its levels: level0.md
  imports level1.md, level1.md imports level2.md, and so on.

  @AMD-DEPTH-01 @derived
  Rule: Imports are followed up to five levels below a configured file

    Scenario Outline: A chain that reaches level <level>
      Given an import chain from "/p/level0.md" that reaches level <level>
      When the instructions are loaded
      Then in any order, the loaded files are <loaded>
      And no warning is given

      Examples: up to the limit
        | level | loaded                                                                                         |
        | 0     | "/p/level0.md"                                                                                 |
        | 4     | "/p/level0.md", "/p/level1.md", "/p/level2.md", "/p/level3.md", "/p/level4.md"                 |
        | 5     | "/p/level0.md", "/p/level1.md", "/p/level2.md", "/p/level3.md", "/p/level4.md", "/p/level5.md" |

  @AMD-DEPTH-02 @documented
  Rule: An import more than five levels below a configured file is skipped with a warning

    Scenario Outline: A chain that reaches level <level>, beyond the limit
      Given an import chain from "/p/level0.md" that reaches level <level>
      When the instructions are loaded
      Then "/p/level6.md" is not loaded
      And "/p/level<level>.md" is not loaded
      And a warning is given

      Examples: one level and several levels too deep
        | level |
        | 6     |
        | 8     |

    Scenario: Two imports on level 6
      Given the configured file "/p/level0.md"
      And the files
        | path         | content                       |
        | /p/level0.md | Level 0 @level1.md            |
        | /p/level1.md | Level 1 @level2.md            |
        | /p/level2.md | Level 2 @level3.md            |
        | /p/level3.md | Level 3 @level4.md            |
        | /p/level4.md | Level 4 @level5.md            |
        | /p/level5.md | Level 5 @six.md and @seven.md |
        | /p/six.md    | Six                           |
        | /p/seven.md  | Seven                         |
      When the instructions are loaded
      Then the warnings name "/p/six.md", "/p/seven.md"

    Scenario: A chain that reaches level 2, within the limit
      Given an import chain from "/p/level0.md" that reaches level 2
      When the instructions are loaded
      Then "/p/level2.md" is loaded

  @AMD-DEPTH-03 @derived
  Rule: A file that is skipped because of its depth is not read

    Scenario: A readable file on level 6
      Given an import chain from "/p/level0.md" that reaches level 6
      When the instructions are loaded
      Then "/p/level6.md" is not read

    Scenario: A file without read permission on level 6
      Given an import chain from "/p/level0.md" that reaches level 6
      And reading "/p/level6.md" fails with a permission error
      When the instructions are loaded
      Then "/p/level1.md" is loaded
      And "/p/level6.md" is not read

  @AMD-DEPTH-05 @derived
  Rule: The depth of an import counts only the files in its own import chain

    Scenario: A short chain next to a chain that is too deep
      Given the configured file "/p/level0.md"
      And the files
        | path         | content                          |
        | /p/level0.md | Level 0 @level1.md and @short.md |
        | /p/level1.md | Level 1 @level2.md               |
        | /p/level2.md | Level 2 @level3.md               |
        | /p/level3.md | Level 3 @level4.md               |
        | /p/level4.md | Level 4 @level5.md               |
        | /p/level5.md | Level 5 @level6.md               |
        | /p/level6.md | Level 6                          |
        | /p/short.md  | Short                            |
      When the instructions are loaded
      Then "/p/short.md" is loaded

    Scenario: A second configured file with a chain of five levels
      Given an import chain from "/p/level0.md" that reaches level 6
      And an import chain from "/q/level0.md" that reaches level 5
      When the instructions are loaded
      Then "/q/level5.md" is loaded

    Scenario: An empty file before a chain of five levels
      Given the configured file "/p/level0.md"
      And the files
        | path         | content                          |
        | /p/level0.md | Level 0 @empty.md and @level1.md |
        | /p/level1.md | Level 1 @level2.md               |
        | /p/level2.md | Level 2 @level3.md               |
        | /p/level3.md | Level 3 @level4.md               |
        | /p/level4.md | Level 4 @level5.md               |
        | /p/level5.md | Level 5                          |
        | /p/empty.md  |                                  |
      When the instructions are loaded
      Then "/p/level5.md" is loaded

  @AMD-DEPTH-06 @derived
  Rule: A file that is skipped because of its depth is loaded if it is also configured or imported within five levels

    Scenario: A file imported on level 6 and on level 1
      Given the configured file "/p/level0.md"
      And the files
        | path         | content                           |
        | /p/level0.md | Level 0 @level1.md and @level6.md |
        | /p/level1.md | Level 1 @level2.md                |
        | /p/level2.md | Level 2 @level3.md                |
        | /p/level3.md | Level 3 @level4.md                |
        | /p/level4.md | Level 4 @level5.md                |
        | /p/level5.md | Level 5 @level6.md                |
        | /p/level6.md | Level 6                           |
      When the instructions are loaded
      Then "/p/level6.md" is loaded

    Scenario: A file imported on level 6 and configured
      Given an import chain from "/p/level0.md" that reaches level 6
      And the configured files "/p/level0.md", "/p/level6.md"
      When the instructions are loaded
      Then "/p/level6.md" is loaded

  @AMD-DEPTH-07 @clarified
  Rule: A cyclic import beyond level 5 causes a warning

    Scenario: A file on level 5 that imports the configured file
      Given the configured file "/p/level0.md"
      And the files
        | path         | content                    |
        | /p/level0.md | Level 0 @level1.md         |
        | /p/level1.md | Level 1 @level2.md         |
        | /p/level2.md | Level 2 @level3.md         |
        | /p/level3.md | Level 3 @level4.md         |
        | /p/level4.md | Level 4 @level5.md         |
        | /p/level5.md | Level 5 back to @level0.md |
      When the instructions are loaded
      Then "/p/level0.md" is read 1 time
      And a warning is given

    Scenario Outline: A run, and a file on level 5 that imports <file>
      Given the configured file "/p/level0.md"
      And the files
        | path         | content                  |
        | /p/level0.md | Level 0 @level1.md      |
        | /p/level1.md | Level 1 @level2.md      |
        | /p/level2.md | Level 2 @level3.md      |
        | /p/level3.md | Level 3 @level4.md      |
        | /p/level4.md | Level 4 @level5.md      |
        | /p/level5.md | Level 5 back to @<path> |
      When the agent runs
      Then "/p/level4.md" is read 1 time in run 1
      And a warning is given

      Examples:
        | file              | path      |
        | itself            | level5.md |
        | its importer      | level4.md |
        | a file in between | level2.md |
