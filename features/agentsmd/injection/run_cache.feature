Feature: Loading once per run
  A run loads the instruction files at its first model call and keeps the result
  for its later model calls. The next run loads the files again, so changes to a
  file take effect with the next run.

  A file that changes "from model call 1 on" changes when the model has received its
  first call, after the load. An attempt to read a missing file counts as a read.
  "Run 2" of an interrupted run is the part after the resumption.

  @AMD-CACHE-01 @documented
  Rule: A run reads each file once for all its model calls

    Scenario: Three model calls
      Given the instruction file "/p/a.md" containing "Answer in French."
      And a model that calls a tool 2 times before it answers
      When the agent runs
      Then the model is called 3 times
      And "/p/a.md" is read 1 time in run 1

  @AMD-CACHE-02 @documented
  Rule: Each run reads the files again

    Scenario: Two runs
      Given the instruction file "/p/a.md" containing "Answer in French. @b.md"
      And the file "/p/b.md" containing "Be brief."
      And a byte limit of 40
      When the agent runs twice
      Then "/p/a.md" is read 1 time in run 1
      And "/p/a.md" is read 1 time in run 2
      And "/p/b.md" is read 1 time in run 2

    Scenario: Two runs, the first of which fails after its first model call
      Given the instruction file "/p/a.md" containing "Answer in French."
      And a tool that fails
      When the agent runs twice
      Then "/p/a.md" is read 1 time in run 1
      And "/p/a.md" is read 1 time in run 2

  @AMD-CACHE-03 @documented
  Rule: A file edited between two runs has its new content in the second run

    Scenario: A file edited after the first run
      Given the instruction file "/p/a.md" containing "Answer in French."
      And "/p/a.md" contains "Answer in Czech." from run 2 on
      When the agent runs twice
      Then every model call of run 1 contains the text "Answer in French."
      And every model call of run 2 contains the text "Answer in Czech."
      And no model call of run 2 contains the text "Answer in French."

    Scenario: An imported file edited after the first run, and another one created
      Given the instruction file "/p/a.md" containing "Answer in French. @b.md and @c.md"
      And the file "/p/b.md" containing "Be brief."
      And "/p/b.md" contains "Be kind." from run 2 on
      And "/p/c.md" contains "Use lists." from run 2 on
      When the agent runs twice
      Then every model call of run 1 contains the text "Be brief."
      And every model call of run 2 contains the text "Be kind."
      And every model call of run 2 contains the text "Use lists."
      And no model call of run 2 contains the text "Be brief."

  @AMD-CACHE-04 @documented
  Rule: A file edited during a run has its new content only in the next run

    Scenario: A file edited after the first of two model calls
      Given the instruction file "/p/a.md" containing "Answer in French."
      And "/p/a.md" contains "Answer in Czech." from model call 1 on
      And a model that calls a tool 1 time before it answers
      When the agent runs twice
      Then every model call of run 1 contains the text "Answer in French."
      And no model call of run 1 contains the text "Answer in Czech."
      And every model call of run 2 contains the text "Answer in Czech."

  @AMD-CACHE-05 @derived
  Rule: Instructions that a handler removed are inserted again without another read

    Scenario: Instructions removed before each model call, and an edited file
      Given the instruction file "/p/a.md" containing "Answer in French."
      And a handler before the AgentsMD middleware that removes the instructions
      And "/p/a.md" contains "Answer in Czech." from model call 1 on
      And a model that calls a tool 2 times before it answers
      When the agent runs
      Then "/p/a.md" is read 1 time in run 1
      And every model call of run 1 contains the text "Answer in French."
      And no model call of run 1 contains the text "Answer in Czech."

  @AMD-CACHE-06 @derived
  Rule: A load that finds no content is not repeated in the same run

    Scenario: An empty file
      Given the instruction file "/p/a.md" containing ""
      And a model that calls a tool 2 times before it answers
      When the agent runs
      Then "/p/a.md" is read 1 time in run 1

    Scenario: A missing configured file that is created during the run
      Given the configured file "/p/a.md"
      And "/p/a.md" contains "Answer in Czech." from model call 1 on
      And a model that calls a tool 2 times before it answers
      When the agent runs
      Then "/p/a.md" is read 1 time in run 1
      And no model call of run 1 contains the text "Answer in Czech."

  @AMD-CACHE-07 @derived
  Rule: A load with warnings is not repeated in the same run

    Scenario: A missing import that is created during the run
      Given the instruction file "/p/a.md" containing "Answer in French. @late.md"
      And a handler before the AgentsMD middleware that removes the instructions
      And "/p/late.md" contains "Answer in Czech." from model call 1 on
      And a model that calls a tool 2 times before it answers
      When the agent runs
      Then "/p/a.md" is read 1 time in run 1
      And every model call of run 1 contains the text "Answer in French."
      And no model call of run 1 contains the text "Answer in Czech."

    Scenario Outline: A warning about <cause>, and a run that is interrupted and resumed
      Given the files
        | path    | content                     |
        | /p/a.md | Answer in French. <imports> |
        | /p/b.md | Be brief. @a.md             |
        | /p/1.md | 1 @2.md                     |
        | /p/2.md | 2 @3.md                     |
        | /p/3.md | 3 @4.md                     |
        | /p/4.md | 4 @5.md                     |
        | /p/5.md | 5 @b.md                     |
      And the configured file "/p/a.md"
      And a byte limit of <limit>
      And a handler before the AgentsMD middleware that removes the instructions
      And a tool that interrupts the run
      When the agent runs, is interrupted and is resumed
      Then a warning is given
      And "/p/a.md" is read 1 time in run 1
      And "/p/a.md" is read 0 times in run 2
      And every model call of run 2 contains the text "Answer in French."

      Examples:
        | cause            | imports    | limit |
        | a missing import | @./late.md | 900   |
        | an import cycle  | @b.md      | 900   |
        | the import depth | @1.md      | 900   |
        | the byte limit   | @b.md      | 10    |

  @AMD-CACHE-08 @derived
  Rule: After a failed load, the next run loads the files again

    Scenario: A file that is unreadable in the first run only
      Given the instruction file "/p/a.md" containing "Answer in French."
      And reading "/p/a.md" fails with a permission error
      And reading "/p/a.md" succeeds from run 2 on
      When the agent runs twice
      Then run 1 fails with a permission error
      And every model call of run 2 contains the text "Answer in French."

  @AMD-CACHE-09 @derived
  Rule: Each of several concurrent runs loads the files for itself

    Scenario: Three runs that begin before the first read ends
      Given the instruction file "/p/a.md" containing "Answer in French. @b.md"
      And the file "/p/b.md" containing "Be brief."
      And a byte limit of 40
      And reading "/p/a.md" waits until run 3 starts
      When the agent runs 3 times concurrently
      Then "/p/a.md" is read 1 time in run 1
      And "/p/a.md" is read 1 time in run 2
      And "/p/a.md" is read 1 time in run 3
      And "/p/b.md" is read 1 time in run 3
      And no warning is given
      And every model call contains the instructions once

  @AMD-CACHE-10 @clarified
  Rule: A run that begins with a stored conversation keeps the instructions in that conversation

    Scenario: A second run that begins with the conversation of the first run
      Given the instruction file "/p/a.md" containing "Answer in French."
      And "/p/a.md" contains "Answer in Czech." from run 2 on
      And the caller starts run 2 with the conversation of run 1
      When the agent runs twice
      Then "/p/a.md" is read 0 times in run 2
      And every model call of run 2 contains the text "Answer in French."
      And no model call of run 2 contains the text "Answer in Czech."

  @AMD-CACHE-11 @derived
  Rule: A resumed run does not load the files again

    Scenario: A file edited while the run is interrupted
      Given the instruction file "/p/a.md" containing "Answer in French."
      And a tool that interrupts the run
      And a handler before the AgentsMD middleware that removes the instructions
      And "/p/a.md" contains "Answer in Czech." from run 2 on
      When the agent runs, is interrupted and is resumed
      Then "/p/a.md" is read 1 time in run 1
      And "/p/a.md" is read 0 times in run 2
      And no model call of run 2 contains the text "Answer in Czech."
      And every model call contains the instructions once

    Scenario: A file edited while the run is interrupted for the second time
      Given the instruction file "/p/a.md" containing "Answer in French."
      And the tools
        | name | interrupts |
        | t1   | yes        |
        | t2   | yes        |
      And a model that answers
        | calls | text |
        | t1    |      |
        | t2    |      |
        |       | done |
      And a middleware "M" that, before model, replaces all messages with the user message "Hm."
      And AgentsMD with the configured files
      And "/p/a.md" contains "Answer in Czech." from run 3 on
      When the agent runs, is resumed, and is resumed again from the new stop
      Then "/p/a.md" is read 0 times in run 2
      And "/p/a.md" is read 0 times in run 3
      And every model call contains the instructions once
      And every model call of run 3 contains the text "Answer in French."

  @AMD-CACHE-12 @clarified
  Rule: Of two AgentsMD middlewares in one agent, neither inserts the instructions of the other's configuration

    Scenario: A handler between the two middlewares removes the instructions
      Given the instruction file "/p/a.md" containing "Answer in French."
      And a handler after the AgentsMD middleware that removes the instructions
      And a second AgentsMD middleware for "/p/b.md"
      And the file "/p/b.md" containing "Be brief."
      When the agent runs
      Then every model call of run 1 contains the text "Be brief."
      And no model call of run 1 contains the text "Answer in French."

    Scenario: The second middleware has the second of two files
      Given the instruction file "/p/a.md" containing "Answer in French."
      And the instruction file "/p/b.md" containing "Be brief."
      And a handler after the AgentsMD middleware that removes the instructions
      And a second AgentsMD middleware for the file "/p/b.md"
      When the agent runs
      Then the instructions of run 1 contain "/p/b.md"

    Scenario: The second middleware has one file more
      Given the instruction file "/p/a.md" containing "Answer in French."
      And the file "/p/b.md" containing "Be brief."
      And a handler after the AgentsMD middleware that removes the instructions
      And a second AgentsMD middleware for the files "/p/a.md", "/p/b.md"
      When the agent runs
      Then the instructions of run 1 contain "/p/a.md", "/p/b.md"

    Scenario: Two files, in the opposite order for the second middleware
      Given the instruction file "/p/a.md" containing "Answer in French."
      And the instruction file "/p/b.md" containing "Be brief."
      And a handler after the AgentsMD middleware that removes the instructions
      And a second AgentsMD middleware for the files "/p/b.md", "/p/a.md"
      When the agent runs
      Then the instructions of run 1 contain "/p/b.md", "/p/a.md"

    Scenario: Two files, of which the second one differs
      Given the instruction file "/p/a.md" containing "Answer in French."
      And the instruction file "/p/b.md" containing "Be brief."
      And the file "/p/c.md" containing "Be kind."
      And a handler after the AgentsMD middleware that removes the instructions
      And a second AgentsMD middleware for the files "/p/a.md", "/p/c.md"
      When the agent runs
      Then the instructions of run 1 contain "/p/a.md", "/p/c.md"

    Scenario: Two files, with a byte limit of the first middleware
      Given the instruction file "/p/a.md" containing "Answer in French."
      And the instruction file "/p/b.md" containing "Be brief."
      And a byte limit of 10
      And a handler after the AgentsMD middleware that removes the instructions
      And a second AgentsMD middleware for the files "/p/a.md", "/p/b.md"
      When the agent runs
      Then the instructions of run 1 contain "/p/a.md", "/p/b.md"

  @AMD-CACHE-13 @clarified
  Rule: Outside a run, each call of the before-model hook loads and inserts the files

    Scenario: Two calls of the hook
      Given the instruction file "/p/a.md" containing "Answer in French."
      When the hook is called 2 times outside a run
      Then each call of the hook returns the instructions once
      And "/p/a.md" is read 2 times

  @AMD-CACHE-14 @derived
  Rule: An agent and its sub-agent each load the files

    Scenario: One AgentsMD middleware in both agents
      Given the instruction file "/p/a.md" containing "Answer in French. @b.md"
      And the file "/p/b.md" containing "Be brief."
      And a byte limit of 40
      And a sub-agent with the same middleware
      When the agent runs
      Then "/p/a.md" is read 2 times in run 1
      And "/p/b.md" is read 2 times in run 1
      And every model call contains the instructions once
