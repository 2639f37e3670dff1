Feature: Files that are missing, and files that cannot be read
  A file that does not exist is left out with a warning, and everything else is
  loaded. Any other failure to read a file ends the load with an error: half of
  the instructions may be worse than none. Only the kind of the backend's error
  tells the two apart.

  @AMD-ERROR-01 @documented
  Rule: A configured file that does not exist is left out with a warning, and the others are loaded

    Scenario: The first of two is missing
      Given the configured files "/p/missing.md", "/p/a.md"
      And the file "/p/a.md" holding "Answer in French."
      When the instructions are loaded
      Then the files shown are "/p/a.md"
      And a warning is given

  @AMD-ERROR-02 @derived
  Rule: An imported file that does not exist is left out with a warning, and later imports are followed

    Scenario: A missing import between two others
      Given the files
        | path    | content                   |
        | /p/a.md | A @b.md @missing.md @c.md |
        | /p/b.md | B                         |
        | /p/c.md | C                         |
      And the configured files "/p/a.md"
      When the instructions are loaded
      Then in any order, the files shown are "/p/a.md", "/p/b.md", "/p/c.md"
      And a warning is given

  @AMD-ERROR-14 @derived
  Rule: With every configured file missing, the run goes on as if there were no handler

    Scenario: Two missing files
      Given the configured files "/p/one.md", "/p/two.md"
      And the conversation
        | role | content        |
        | user | What is 2 + 2? |
      When the agent runs
      Then the run succeeds
      And the model receives
        | role | content        |
        | user | What is 2 + 2? |
      And the warnings name "/p/one.md", "/p/two.md"

  @AMD-ERROR-03 @documented
  Rule: A configured file that cannot be read ends the load with that error, and nothing is shown

    Scenario Outline: The second of two fails with <fault>
      Given the configured files "/p/a.md", "/p/b.md"
      And the file "/p/a.md" holding "Answer in French."
      And reading "/p/b.md" fails with <fault>
      When the instructions are loaded
      Then loading fails with <fault>
      And the files shown are nothing

      Examples:
        | fault              |
        | a permission error |
        | an I/O error       |

  @AMD-ERROR-04 @documented
  Rule: So does an imported file, on any level

    Scenario Outline: An import on level <level>
      Given an import chain from "/p/level0.md" that reaches level <level>
      And reading "/p/level<level>.md" fails with a permission error
      When the instructions are loaded
      Then loading fails with a permission error

      Examples:
        | level |
        | 1     |
        | 5     |

  @AMD-ERROR-05 @documented
  Rule: What ends a load is not warned about as well; warnings given before it stay given

    Scenario: A missing file, then a forbidden one
      Given the configured files "/p/missing.md", "/p/forbidden.md"
      And reading "/p/forbidden.md" fails with a permission error
      When the agent runs
      Then run 1 fails with a permission error
      And the warnings name "/p/missing.md"

  @AMD-ERROR-06 @derived
  Rule: After an error nothing more is read

    Scenario: A forbidden file, then a readable one
      Given the configured files "/p/forbidden.md", "/p/a.md"
      And reading "/p/forbidden.md" fails with a permission error
      And the file "/p/a.md" holding "Answer in French."
      When the instructions are loaded
      Then loading fails with a permission error
      And "/p/a.md" is not read

  @AMD-ERROR-07 @clarified
  Rule: An error leaves the caller's conversation as it was

    Scenario: A run that fails, and another with the same messages
      Given the instructions file "/p/a.md" holding "Answer in French."
      And reading "/p/a.md" fails with an I/O error
      And reading "/p/a.md" works from run 2 on
      And the conversation
        | role      | content        |
        | user      | What is 2 + 2? |
        | assistant | 4              |
        | user      | And times 3?   |
      When the agent runs twice
      Then run 1 fails with an I/O error
      And without the instructions, the model receives in run 2
        | role      | content        |
        | user      | What is 2 + 2? |
        | assistant | 4              |
        | user      | And times 3?   |

  @AMD-ERROR-08 @derived
  Rule: In an agent, a failing load ends the run before the model is called

    Scenario: A forbidden file
      Given the configured files "/p/a.md"
      And reading "/p/a.md" fails with a permission error
      When the agent runs
      Then run 1 fails with a permission error
      And the model is called 0 times

  @AMD-ERROR-09 @derived
  Rule: A warning about a missing file names that file, not the one that imports it

    Scenario: A missing import of an import
      Given the files
        | path        | content        |
        | /p/a.md     | A @sub/b.md    |
        | /p/sub/b.md | B @missing.md  |
      And the configured files "/p/a.md"
      When the instructions are loaded
      Then the warnings name "/p/sub/missing.md"

  @AMD-ERROR-10 @documented
  Rule: Warnings go to whoever was named to take them, or else to the log

    Scenario: Nobody takes them
      Given the configured files "/p/missing.md"
      And nobody takes the warnings
      And the log is watched
      When the agent runs
      Then the log names "/p/missing.md"

    Scenario: Somebody takes them
      Given the configured files "/p/missing.md"
      And the log is watched
      When the agent runs
      Then the warnings name "/p/missing.md"
      And the log names nothing

  @AMD-ERROR-11 @clarified
  Rule: Warnings come in the order in which the files are met

    Scenario: Missing files in two branches
      Given the files
        | path    | content                  |
        | /p/a.md | A @b.md @one.md @c.md    |
        | /p/b.md | B @two.md                |
        | /p/c.md | C @three.md              |
      And the configured files "/p/a.md", "/p/four.md"
      When the instructions are loaded
      Then the warnings name, in this order, "/p/two.md", "/p/one.md", "/p/three.md", "/p/four.md"

  @AMD-ERROR-12 @derived
  Rule: A warning is given once in a load: once in a run, and again in the next

    Scenario: Two runs of three model calls each
      Given the configured files "/p/a.md", "/p/missing.md"
      And the file "/p/a.md" holding "Answer in French."
      And a model that asks for a tool 2 times before it answers
      When the agent runs twice
      Then 1 warning is given in run 1
      And 1 warning is given in run 2

  @AMD-ERROR-13 @derived
  Rule: An error about the path itself, other than "does not exist", ends the load

    Scenario Outline: An import that is <what>
      Given an instructions file that says "@x.md/y"
      And reading "/project/x.md/y" fails with <fault>
      When the instructions are loaded
      Then loading fails with <fault>

      Examples:
        | what                     | fault                   |
        | a folder                 | a directory error       |
        | below what is no folder  | a not-a-directory error |

  @AMD-BACKEND-03 @documented
  Rule: A file is missing when "does not exist" is the error or a cause of it

    Scenario: The error wrapped in another one
      Given the configured files "/p/missing.md", "/p/a.md"
      And reading "/p/missing.md" fails with a missing-file error inside another error
      And the file "/p/a.md" holding "Answer in French."
      When the instructions are loaded
      Then the files shown are "/p/a.md"
      And a warning is given

  @AMD-BACKEND-04 @documented
  Rule: An error that only speaks of a missing file ends the load

    Scenario: Words without the kind
      Given the configured files "/p/a.md"
      And reading "/p/a.md" fails with an I/O error that says "file not found"
      When the instructions are loaded
      Then loading fails with an I/O error

  @AMD-BACKEND-06 @clarified
  Rule: A read without any content object counts as an empty file

    Scenario: Nothing came back
      Given the configured files "/p/a.md", "/p/b.md"
      And reading "/p/a.md" gives no content object
      And the file "/p/b.md" holding "Answer in French."
      When the instructions are loaded
      Then the files shown are "/p/b.md"
      And no warning is given

  @AMD-BACKEND-07 @clarified
  Rule: Content that comes with an error is not used

    Scenario: Content and "does not exist" at once
      Given the configured files "/p/a.md", "/p/b.md"
      And the file "/p/a.md" holding "Answer in Latin."
      And reading "/p/a.md" fails with a missing-file error
      And the file "/p/b.md" holding "Answer in French."
      When the instructions are loaded
      Then the files shown are "/p/b.md"

  @AMD-BACKEND-08 @clarified
  Rule: A cancellation that the backend reports ends the load like any error

    Scenario: Cancelled while reading
      Given the configured files "/p/a.md"
      And reading "/p/a.md" fails with a cancellation
      When the instructions are loaded
      Then loading fails with a cancellation
