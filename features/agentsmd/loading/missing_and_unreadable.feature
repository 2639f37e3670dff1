Feature: Missing and unreadable files
  A missing file is skipped with a warning, and the load continues. Every other
  read error ends the load, because incomplete instructions can be worse than
  none. The loader distinguishes the two cases by the kind of the backend's error
  and not by its message.

  A missing-file error is the error that a language has for a file that does not
  exist. The loaded files are the files whose content the instructions contain.

  @AMD-ERROR-01 @documented
  Rule: A configured file that does not exist is skipped with a warning

    Scenario: The first of two configured files is missing
      Given the configured files "/p/missing.md", "/p/a.md"
      And the file "/p/a.md" containing "Answer in French."
      When the instructions are loaded
      Then the only loaded file is "/p/a.md"
      And a warning is given

  @AMD-ERROR-02 @derived
  Rule: An imported file that does not exist is skipped with a warning

    Scenario: A missing import between two others
      Given the files
        | path    | content                   |
        | /p/a.md | A @b.md @missing.md @c.md |
        | /p/b.md | B                         |
        | /p/c.md | C                         |
      And the configured file "/p/a.md"
      When the instructions are loaded
      Then in any order, the loaded files are "/p/a.md", "/p/b.md", "/p/c.md"
      And a warning is given

  @AMD-ERROR-14 @derived
  Rule: If all configured files are missing, the model receives the conversation unchanged

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

    Scenario: A file next to a missing one
      Given the configured files "/p/one.md", "/p/two.md"
      And the file "/p/one.md" containing "Answer in French."
      When the agent runs
      Then every model call contains the instructions once

  @AMD-ERROR-03 @documented
  Rule: A configured file that exists but cannot be read ends the load with the read error

    Scenario Outline: The second of two configured files fails with <fault>
      Given the configured files "/p/a.md", "/p/b.md"
      And the file "/p/a.md" containing "Answer in French."
      And reading "/p/b.md" fails with <fault>
      When the instructions are loaded
      Then loading fails with <fault>
      And no file is loaded

      Examples:
        | fault              |
        | a permission error |
        | an I/O error       |

  @AMD-ERROR-04 @documented
  Rule: At any level, an imported file that exists but cannot be read ends the load with the read error

    Scenario Outline: An import on level <level>
      Given an import chain from "/p/level0.md" that reaches level <level>
      And reading "/p/level<level>.md" fails with a permission error
      When the instructions are loaded
      Then loading fails with a permission error

      Examples:
        | level |
        | 1     |
        | 5     |

    Scenario: A readable import on level 1
      Given an import chain from "/p/level0.md" that reaches level 1
      When the instructions are loaded
      Then "/p/level1.md" is loaded

  @AMD-ERROR-05 @documented
  Rule: An error that ends a load is not also reported as a warning

    Scenario: A missing file before an unreadable file
      Given the configured files "/p/missing.md", "/p/forbidden.md"
      And reading "/p/forbidden.md" fails with a permission error
      When the agent runs
      Then run 1 fails with a permission error
      And the only file with a warning is "/p/missing.md"

  @AMD-ERROR-06 @derived
  Rule: After the error that ends a load, no further file is read

    Scenario: An unreadable file before a readable file
      Given the configured files "/p/forbidden.md", "/p/a.md"
      And reading "/p/forbidden.md" fails with a permission error
      And the file "/p/a.md" containing "Answer in French."
      When the instructions are loaded
      Then loading fails with a permission error
      And "/p/a.md" is not read

    Scenario: Two readable files
      Given the configured files "/p/b.md", "/p/a.md"
      And the file "/p/b.md" containing "Be brief."
      And the file "/p/a.md" containing "Answer in French."
      When the instructions are loaded
      Then "/p/a.md" is read at least once

  @AMD-ERROR-07 @clarified
  Rule: A failed load leaves the caller's conversation unchanged

    Scenario: A failed run before a successful run with the same messages
      Given the instruction file "/p/a.md" containing "Answer in French."
      And reading "/p/a.md" fails with an I/O error
      And reading "/p/a.md" succeeds from run 2 on
      And the caller passes the same list of messages to each run
      And the conversation
        | role      | content        |
        | user      | What is 2 + 2? |
        | assistant | 4              |
        | user      | And times 3?   |
      When the agent runs twice
      Then run 1 fails with an I/O error
      And apart from the instructions, the model receives in run 2
        | role      | content        |
        | user      | What is 2 + 2? |
        | assistant | 4              |
        | user      | And times 3?   |

  @AMD-ERROR-08 @derived
  Rule: A failed load ends the run before the model is called

    Scenario: An unreadable file
      Given the configured file "/p/a.md"
      And reading "/p/a.md" fails with a permission error
      When the agent runs
      Then run 1 fails with a permission error
      And the model is called 0 times

    Scenario: A readable file
      Given the instruction file "/p/a.md" containing "Answer in French."
      When the agent runs
      Then "/p/a.md" is read at least once
      And the model is called once

  @AMD-ERROR-09 @derived
  Rule: A warning about a missing import names the path to which the import is resolved

    Scenario: A missing import of an imported file
      Given the files
        | path        | content       |
        | /p/a.md     | A @sub/b.md   |
        | /p/sub/b.md | B @missing.md |
      And the configured file "/p/a.md"
      When the instructions are loaded
      Then the only file with a warning is "/p/sub/missing.md"

  @AMD-ERROR-10 @documented
  Rule: Warnings go to the warning callback, which defaults to the log

    Scenario: With a warning callback
      Given the configured file "/p/missing.md"
      And the log is captured
      When the agent runs
      Then the only file with a warning is "/p/missing.md"
      And the log names nothing

    Scenario: Without a warning callback
      Given the configured file "/p/missing.md"
      And no warning callback
      And the log is captured
      When the agent runs
      Then the log names "/p/missing.md"

    Scenario: Warnings of a resumed run, and next to this of another one
      Given a streaming run
      And a conversation of agentic messages
        | role | content          | mark |
        | user | Answer in Czech. | true |
        | user | Hallo.           |      |
      And the files
        | path    | content          |
        | /p/e.md |                  |
        | /p/a.md | A @gone.md @b.md |
        | /p/b.md | \ü*2001 @lost.md |
      And the configured files "/p/late.md", "/p/e.md", "/p/missing.md", "/p/a.md"
      And the log is captured
      And a sub-agent "helper"
      And an outer agent
      And failed model calls are retried at most once
      And the tools
        | name | returns | interrupts |
        | t1   | \ü*2001 | yes        |
      And a model that answers
        | text | calls                             | fails with |
        |      |                                   | busy       |
        |      | helper({"request": "Köln?"}) as a |            |
        |      | t1({"city": "Köln"}) as b         |            |
        | done |                                   |            |
      And in run 3, the user writes ""
      And a handler "H0" that, before model call 1 of run 2, replaces all messages with the user message "Weiter"
      And AgentsMD with the configured files
      And call 1 of "model model" in run 3 waits until run 2 has ended
      When the agent runs, and is resumed while it runs once more
      Then the log names nothing
      And the warnings name "/p/late.md", "/p/missing.md", "/p/gone.md", "/p/lost.md"

    Scenario: Without a warning callback, in a resumed run next to another one
      Given a streaming run
      And a conversation of agentic messages
        | role | content          | mark |
        | user | Answer in Czech. | true |
        | user | Hallo.           |      |
      And the files
        | path    | content          |
        | /p/e.md |                  |
        | /p/a.md | A @e.md @gone.md |
      And the configured files "/p/late.md", "/p/a.md"
      And no warning callback
      And the log is captured
      And a sub-agent "helper"
      And an outer agent
      And failed model calls are retried at most once
      And the tools
        | name | returns | interrupts |
        | t1   | \ü*2001 | yes        |
      And a model that answers
        | text | calls                             | fails with |
        |      | t1({"city": "Köln"}) as b         |            |
        |      |                                   | busy       |
        |      | helper({"request": "Köln?"}) as a |            |
        | done |                                   |            |
      And a handler "H0" that, before model call 1 of run 2, replaces all messages with the user message "Weiter"
      And AgentsMD with the configured files
      And call 1 of "model model" in run 3 waits until run 2 has ended
      When the agent runs, and is resumed while it runs once more
      Then the log names "/p/late.md"
      And the log names "/p/gone.md"

  @AMD-ERROR-11 @clarified
  Rule: Warnings are reported in the order in which the loader reaches the files

    Scenario: Missing files in two branches
      Given the files
        | path    | content               |
        | /p/a.md | A @b.md @one.md @c.md |
        | /p/b.md | B @two.md             |
        | /p/c.md | C @three.md           |
      And the configured files "/p/a.md", "/p/four.md"
      When the instructions are loaded
      Then the warnings name, in this order, "/p/two.md", "/p/one.md", "/p/three.md", "/p/four.md"

    Scenario: Missing files before and after a cyclic import
      Given the files
        | path    | content                    |
        | /p/a.md | A @one.md @b.md @two.md    |
        | /p/b.md | B @three.md @a.md @four.md |
      And the configured file "/p/a.md"
      When the agent runs
      Then the warnings name, in this order, "/p/one.md", "/p/three.md", "/p/a.md", "/p/four.md", "/p/two.md"

  @AMD-ERROR-12 @derived
  Rule: The warning about a file is reported once per run

    Scenario: Two runs of three model calls each
      Given the configured files "/p/a.md", "/p/missing.md"
      And the file "/p/a.md" containing "Answer in French."
      And a model that calls a tool 2 times before it answers
      When the agent runs twice
      Then 1 warning is given in run 1
      And 1 warning is given in run 2

  @AMD-ERROR-13 @derived
  Rule: An import of a folder or of a path inside a file ends the load with the error of the backend

    Scenario Outline: An import of <import>
      Given an instruction file containing "@x.md/y"
      And reading "/project/x.md/y" fails with <fault>
      When the instructions are loaded
      Then loading fails with <fault>

      Examples:
        | import               | fault                   |
        | a folder             | a directory error       |
        | a path inside a file | a not-a-directory error |
