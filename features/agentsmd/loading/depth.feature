Feature: How far a chain of imports is followed
  A file may import a file that imports a file. The chain is followed five
  levels below the configured file, which is level 0; whatever a file on level
  5 imports is left out and warned about, and the load goes on.

  @AMD-DEPTH-01 @derived
  Rule: A chain is followed to level 5

    Scenario Outline: A chain that reaches level <level>
      Given an import chain from "/p/level0.md" that reaches level <level>
      When the instructions are loaded
      Then in any order, the files shown are <shown>
      And no warning is given

      Examples: as far as it may go
        | level | shown                                                                              |
        | 0     | /p/level0.md                                                                       |
        | 4     | /p/level0.md, /p/level1.md, /p/level2.md, /p/level3.md, /p/level4.md               |
        | 5     | /p/level0.md, /p/level1.md, /p/level2.md, /p/level3.md, /p/level4.md, /p/level5.md |

  @AMD-DEPTH-02 @documented
  Rule: A file on level 6 is left out, and a warning is given

    Scenario Outline: A chain that reaches level <level>, too far
      Given an import chain from "/p/level0.md" that reaches level <level>
      When the instructions are loaded
      Then "/p/level6.md" is not shown
      And a warning is given

      Examples: one too many, and several
        | level |
        | 6     |
        | 8     |

  @AMD-DEPTH-03 @derived
  Rule: A file that is left out for its level is not read

    Scenario: A level that exists
      Given an import chain from "/p/level0.md" that reaches level 6
      When the instructions are loaded
      Then "/p/level6.md" is not read

    Scenario: A level that nobody may read
      Given an import chain from "/p/level0.md" that reaches level 6
      And reading "/p/level6.md" fails with a permission error
      When the instructions are loaded
      Then "/p/level0.md" is shown
      And "/p/level6.md" is not read

  @AMD-DEPTH-05 @derived
  Rule: Each chain has its own five levels

    Scenario: A short chain beside one that is too long
      Given an import chain from "/p/level0.md" that reaches level 6
      And the file "/p/level0.md" holding "@level1.md @short.md"
      And the file "/p/short.md" holding "Short."
      When the instructions are loaded
      Then "/p/short.md" is shown

    Scenario: A second configured file with a chain of five
      Given an import chain from "/p/level0.md" that reaches level 6
      And an import chain from "/q/level0.md" that reaches level 5
      When the instructions are loaded
      Then "/q/level5.md" is shown

  @AMD-DEPTH-06 @derived
  Rule: A file that was left out for its level is still loaded from a place closer by

    Scenario: Imported again on level 1
      Given an import chain from "/p/level0.md" that reaches level 6
      And the file "/p/level0.md" holding "@level1.md @level6.md"
      When the instructions are loaded
      Then "/p/level6.md" is shown

    Scenario: Configured as well
      Given an import chain from "/p/level0.md" that reaches level 6
      And the configured files "/p/level0.md", "/p/level6.md"
      When the instructions are loaded
      Then "/p/level6.md" is shown

  @AMD-DEPTH-07 @clarified
  Rule: On level 6, an import of a file further up the chain is warned about, as too deep or as circular

    Scenario: A chain of five that ends where it began
      Given an import chain from "/p/level0.md" that reaches level 5
      And the file "/p/level5.md" holding "Back to @level0.md"
      When the instructions are loaded
      Then "/p/level0.md" is read 1 time
      And a warning is given
