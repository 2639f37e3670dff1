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

    Scenario: Later rounds, in a resumed run and in another one
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
        | user | \ü*2001 |
      And the file "/p/a.md" containing "Answer in French."
      And the configured files "/p/a.md", "/p/late.md"
      And a sub-agent "helper"
      And a model that answers
        | text    |
        | \ü*2001 |
        | \ü*2001 |
      And an outer agent
      And the tools
        | name | returns | interrupts |
        | t1   |         | yes        |
        | t2   |         |            |
      And a model that answers
        | text | calls                             |
        |      | t1 as d                           |
        |      | helper({"request": "Köln?"}) as a |
        |      | helper({"request": "Bonn?"}) as b |
        |      | t2 as e                           |
        | done |                                   |
      And a handler "H0" that observes before model
      And AgentsMD with the configured files
      And "/p/a.md" contains "Answer in Czech." from model call 1 on
      And call 1 of "model model" in run 3 waits until run 2 has ended
      When the agent runs, and is resumed while it runs once more
      Then "/p/a.md" is read 1 time in run 1
      And "/p/a.md" is read 0 times in run 2
      And no model call of run 2 contains the text "Answer in Czech."
      And "/p/a.md" is read 1 time in run 3

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

    @axis:edits-last
    Scenario Outline: Edited between two resumptions of one run, whose tool returned <what>
      Given a streaming run
      And a conversation of agentic messages
        | role | content          | mark |
        | user | Answer in Czech. | true |
        | user | Hallo.           |      |
      And the file "/p/a.md" containing "Answer in French. @b.md"
      And the configured files "/p/a.md", "/p/late.md"
      And a sub-agent "helper"
      And a model that answers
        | text     |
        | geholfen |
        | geholfen |
      And an outer agent
      And failed model calls are retried at most once
      And the tools
        | name | returns   | interrupts |
        | t1   | <returns> | yes        |
      And a model that answers
        | text | calls                             | fails with |
        |      | t1({"city": "Köln"}) as b         |            |
        |      |                                   | busy       |
        |      | helper({"request": "Köln?"}) as a |            |
        |      | helper({"request": "Bonn?"}) as c |            |
        | done |                                   |            |
      And a handler "H0" that, before model call 1 of run 2, replaces all messages with the user message "Weiter"
      And a handler "H0" that, before model call 1 of run 3, replaces all messages with the user message "Weiter"
      And AgentsMD with the configured files
      And "/p/a.md" contains "Answer in Polish. @b.md" from run 3 on
      And "/p/b.md" contains "Be brief." from run 3 on
      When the agent runs, is resumed, and is resumed again from the first stop
      Then "/p/a.md" is read 0 times in run 1
      And call 4 of the model "model" contains "Answer in French."
      And call 5 of the model "model" contains "Answer in French."
      And call 6 of the model "model" contains "Answer in Polish."
      And call 6 of the model "model" contains "Be brief."
      And no model call of run 3 contains the text "Answer in French."

      Examples:
        | what        | returns |
        | no text     |         |
        | a long text | \ü*2001 |

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

    Scenario: Edited during the first of two concurrent runs, and again before a third one
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
        | user | \ü*2001 |
      And the file "/p/a.md" containing "Answer in French."
      And the configured files "/p/a.md", "/p/late.md"
      And the tools
        | name | returns |
        | t1   |         |
      And a model that calls "t1" once before it answers "done"
      And a handler "H0" that observes before model
      And AgentsMD with the configured files
      And "/p/a.md" contains "Answer in Czech." from model call 1 on
      And "/p/a.md" contains "Answer in Polish." from run 3 on
      And call 1 of "before model H0" in run 2 waits until run 1 has ended
      When the agent runs 2 times concurrently, and then once
      Then every model call of run 1 contains the text "Answer in French."
      And every model call of run 2 contains the text "Answer in Czech."
      And every model call of run 3 contains the text "Answer in Polish."
      And no model call of run 3 contains the text "Answer in Czech."

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

    Scenario: Instructions removed in later rounds, in a resumed run and in another one
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
        | user | \ü*2001 |
      And the file "/p/a.md" containing "Answer in French."
      And the configured files "/p/a.md", "/p/late.md"
      And a sub-agent "helper"
      And a model that answers
        | text    |
        | \ü*2001 |
        | \ü*2001 |
      And an outer agent
      And the tools
        | name | returns | interrupts |
        | t1   |         | yes        |
        | t2   |         |            |
      And a model that answers
        | text | calls                             |
        |      | helper({"request": "Köln?"}) as a |
        |      | helper({"request": "Bonn?"}) as b |
        |      | t1 as d                           |
        |      | t2 as e                           |
        | done |                                   |
      And a handler "H0" that, before model, replaces all messages with the user message "Weiter"
      And AgentsMD with the configured files
      And "/p/a.md" contains "Answer in Czech." from model call 1 on
      And call 1 of "model model" in run 3 waits until run 2 has ended
      When the agent runs, and is resumed while it runs once more
      Then "/p/a.md" is read 1 time in run 1
      And "/p/a.md" is read 0 times in run 2
      And no model call of run 2 contains the text "Answer in Czech."
      And "/p/a.md" is read 1 time in run 3
      And every model call of run 2 contains the text "Answer in French."

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

    Scenario: Messages removed in later rounds, in a resumed run and in another one, without instructions
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
        | user | \ü*2001 |
      And the file "/p/a.md" containing ""
      And the configured files "/p/a.md", "/p/late.md"
      And a sub-agent "helper"
      And a model that answers
        | text    |
        | \ü*2001 |
        | \ü*2001 |
      And an outer agent
      And the tools
        | name | returns | interrupts |
        | t1   |         | yes        |
        | t2   |         |            |
      And a model that answers
        | text | calls                             |
        |      | helper({"request": "Köln?"}) as a |
        |      | helper({"request": "Bonn?"}) as b |
        |      | t1 as d                           |
        |      | t2 as e                           |
        | done |                                   |
      And a handler "H0" that, before model, replaces all messages with the user message "Weiter"
      And AgentsMD with the configured files
      And "/p/a.md" contains "Answer in Czech." from model call 1 on
      And call 1 of "model model" in run 3 waits until run 2 has ended
      When the agent runs, and is resumed while it runs once more
      Then "/p/a.md" is read 1 time in run 1
      And "/p/a.md" is read 0 times in run 2
      And no model call of run 2 contains the text "Answer in Czech."
      And "/p/a.md" is read 1 time in run 3

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
