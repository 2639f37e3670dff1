Feature: Loads of later runs and of several middlewares
  Each run loads the instruction files for itself, and so does each AgentsMD middleware of an agent and each agent. A
  resumed run is the rest of a run. A stored conversation has the instructions with which it was stored. Outside a run
  nothing is kept. The instructions are in no event of a run.

  @AMD-CACHE-08 @derived
  Rule: After a failed load, the next run loads the files again

    Scenario: A file that is unreadable in the first run only
      Given the instruction file "/p/a.md" containing "Answer in French."
      And reading "/p/a.md" fails with a permission error
      And reading "/p/a.md" succeeds from run 2 on
      When the agent runs twice
      Then run 1 fails with a permission error
      And every model call of run 2 contains the text "Answer in French."

    @axis:edits-last
    Scenario Outline: Unreadable in the first of two resumptions of one run, whose tool returned <what>
      Given a streaming run
      And a conversation of agentic messages
        | role | content          | mark |
        | user | Answer in Czech. | true |
        | user | Hallo.           |      |
      And the file "/p/a.md" containing "Answer in French."
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
      And reading "/p/a.md" fails with a permission error
      And reading "/p/a.md" succeeds from run 3 on
      When the agent runs, is resumed, and is resumed again from the first stop
      Then run 2 fails with a permission error
      And call 4 of the model "model" contains "Answer in French."
      And the final answer of run 3 is "done"

      Examples:
        | what        | returns |
        | no text     |         |
        | a long text | \ü*2001 |

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

  @AMD-IDEMP-14 @clarified
  Rule: The instructions are not emitted as an event of the run

    Scenario: A caller that receives the events of a run
      Given the instruction file "/p/a.md" containing "Answer in French."
      And a handler before the AgentsMD middleware that removes the instructions
      And a model that calls a tool 1 time before it answers
      And a listener reads the events
      When the agent runs
      Then every model call contains the instructions once
      And no event contains the instructions
