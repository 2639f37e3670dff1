Feature: Inserting the instructions once
  The instructions become a message of the conversation. The next model call of the run therefore already contains
  this message, and so can a stored conversation. A marker in the extra data of the message identifies it, and the
  AgentsMD middleware inserts nothing into a conversation with a marked message.

  A file that changes "from model call 1 on" changes when the model has received its first call. "Run 2" of an
  interrupted run is the part after the resumption.

  Background:
    Given the instruction file "/p/a.md" containing "Answer in French."

  @AMD-IDEMP-01 @documented
  Rule: A conversation that already contains a message with the marker of the instructions is not changed

    Scenario: A marked message with other content
      Given the conversation
        | role | content          | mark |
        | user | Answer in Czech. | true |
        | user | What is 2 + 2?   |      |
      When the agent runs
      Then the model receives
        | role | content          | mark |
        | user | Answer in Czech. | true |
        | user | What is 2 + 2?   |      |

    Scenario: Equal messages without the marker
      Given the conversation
        | role | content          |
        | user | Answer in Czech. |
        | user | What is 2 + 2?   |
      When the agent runs
      Then every model call contains the instructions once

  @AMD-IDEMP-02 @derived
  Rule: No file is read for a conversation that already contains a message with the marker of the instructions

    Scenario: A conversation with a marked message and an unreadable file
      Given reading "/p/a.md" fails with a permission error
      And the conversation
        | role | content          | mark |
        | user | Answer in Czech. | true |
        | user | What is 2 + 2?   |      |
      When the agent runs
      Then the run succeeds
      And the model is called once
      And "/p/a.md" is read 0 times in run 1

    Scenario: A conversation without a marked message
      Given the conversation
        | role | content          |
        | user | Answer in Czech. |
      When the agent runs
      Then "/p/a.md" is read at least once

  @AMD-IDEMP-03 @derived
  Rule: The marker of the instructions counts on a message of any role at any position

    Scenario: A marked system message
      Given the conversation
        | role   | content        | mark |
        | system | You are terse. | true |
        | user   | What is 2 + 2? |      |
      When the agent runs
      Then no model call contains the instructions

    Scenario: A marked assistant message in the last position
      Given the conversation
        | role      | content        | mark |
        | user      | What is 2 + 2? |      |
        | assistant | 4              | true |
      When the agent runs
      Then no model call contains the instructions

    Scenario: A marked user message after three other messages
      Given the conversation
        | role      | content          | mark |
        | user      | What is 1 + 1?   |      |
        | assistant | 2                |      |
        | assistant | Anything else?   |      |
        | user      | Answer in Czech. | true |
        | user      | What is 2 + 2?   |      |
      When the agent runs
      Then no model call contains the instructions

    Scenario: A system message and an assistant message without a mark
      Given the conversation
        | role      | content        |
        | system    | You are terse. |
        | user      | What is 2 + 2? |
        | assistant | 4              |
      When the agent runs
      Then every model call contains the instructions once

  @AMD-IDEMP-04 @clarified
  Rule: The marker of the instructions counts with any value

    Scenario Outline: A marker with the value <value>
      Given the conversation
        | role | content          | mark    |
        | user | Answer in Czech. | <value> |
        | user | What is 2 + 2?   |         |
      When the agent runs
      Then no model call contains the instructions

      Examples:
        | value |
        | false |
        | null  |
        | "no"  |

    Scenario: No marker
      Given the conversation
        | role | content        |
        | user | What is 2 + 2? |
      When the agent runs
      Then every model call contains the instructions once

  @AMD-IDEMP-05 @derived
  Rule: If a message quotes the instructions and has no marker, the instructions are still inserted

    Scenario: A user message that quotes instructions
      Given the conversation
        | role | content                                              |
        | user | <system-reminder>Answer in French.</system-reminder> |
      When the agent runs
      Then every model call contains the instructions once

  @AMD-IDEMP-06 @derived
  Rule: The marker of the instructions is kept when an interrupted run is resumed

    Scenario: An interrupted and resumed run
      Given a tool that interrupts the run
      When the agent runs, is interrupted and is resumed
      Then every model call contains the instructions once
      And every model call contains 1 message with the marker

    Scenario: The second of two runs is interrupted in its second round, next to a sub-agent
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
        | user | \ü*2001 |
      And the configured files "/p/a.md", "/p/late.md"
      And a sub-agent "helper"
      And a model that answers
        | text    |
        | \ü*2001 |
      And an outer agent
      And tool calls run sequentially
      And the tools
        | name | returns | interrupts |
        | t1   | \ü*2001 | yes        |
        | t2   | \ü*2001 |            |
      And a model that answers
        | text | calls                             |
        |      | t1({"city": "Köln"}) as c         |
        |      | t1({"city": "Bonn"}) as d         |
        |      | t2({"city": "Köln"}) as a         |
        |      | helper({"request": "Köln?"}) as b |
        | done |                                   |
      And a handler "H0" that observes before model
      And AgentsMD with the configured files
      When the agent runs twice and is resumed
      Then run 2 is interrupted by t1
      And model call 1 of run 3 contains the instructions once
      And "/p/a.md" is read 0 times in run 3

  @AMD-IDEMP-07 @clarified
  Rule: The instructions are inserted again into a stored conversation whose instructions lost their marker

    Scenario: A stored conversation without extra data
      Given the caller starts run 2 with the conversation of run 1, without extra data
      When the agent runs twice
      Then model call 1 of run 2 contains the instructions 2 times

  @AMD-IDEMP-08 @derived
  Rule: After a handler removes the instructions from the conversation, the next before-model hook of the AgentsMD middleware inserts them again

    Scenario: A handler that removes the marked message before each model call
      Given the conversation
        | role      | content         |
        | assistant | How can I help? |
        | user      | What is 2 + 2?  |
      And a handler before the AgentsMD middleware that removes the instructions
      And a handler before the AgentsMD middleware that inserts "An earlier question" first in model call 2
      And a model that calls a tool 2 times before it answers
      When the agent runs
      Then every model call contains the instructions once
      And the instructions directly precede "What is 2 + 2?" in model call 1
      And the instructions directly precede "An earlier question" in model call 2

    Scenario: Longer and shorter conversations without the instructions, in a resumed run and in another one
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
        | user | \ü*2001 |
      And the configured files "/p/a.md", "/p/late.md"
      And a sub-agent "helper"
      And a model that answers
        | text    |
        | \ü*2001 |
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
        |      | helper({"request": "Kiel?"}) as c |
        |      | t1 as d                           |
        |      | t2 as e                           |
        |      | t2 as f                           |
        |      | t2 as g                           |
        | done |                                   |
      And a handler "H0" that, before model, replaces all messages with the user message "<system-reminder>Ja</system-reminder>"
      And a handler "H0" that, before model call 3, adds the assistant message "Ja"; adds the user message "Weiter"
      And AgentsMD with the configured files
      And "/p/a.md" contains "Answer in Czech." from model call 1 on
      And call 1 of "model model" in run 3 waits until run 2 has ended
      When the agent runs, and is resumed while it runs once more
      Then "/p/a.md" is read 1 time in run 1
      And "/p/a.md" is read 0 times in run 2
      And "/p/a.md" is read 1 time in run 3
      And model call 3 of run 1 contains the instructions once
      And model call 5 of run 1 contains the instructions once
      And model call 7 of run 1 contains the instructions once
      And model call 2 of run 2 contains the instructions once
      And model call 3 of run 2 contains the instructions once
      And model call 4 of run 2 contains the instructions once
      And model call 5 of run 3 contains the instructions once
      And no model call of run 2 contains the text "Answer in Czech."

  @AMD-IDEMP-09 @documented
  Rule: The instructions keep their first text for the whole run, also after a summarization

    Scenario: A changed file and a summarized conversation
      Given a handler before the AgentsMD middleware that replaces more than 2 messages with "(summary)"
      And a model that calls a tool 3 times before it answers
      And "/p/a.md" contains "Answer in Czech." from model call 1 on
      When the agent runs
      Then the instructions are the same text in every model call

  @AMD-IDEMP-10 @clarified
  Rule: Inserted instructions are not moved when the messages before them change

    Scenario: A user message inserted at the beginning of the conversation
      Given a handler after the AgentsMD middleware that inserts "An earlier question" first in model call 1
      And a model that calls a tool 1 time before it answers
      And the conversation
        | role | content        |
        | user | What is 2 + 2? |
      When the agent runs
      Then the instructions directly precede "What is 2 + 2?" in model call 2

  @AMD-IDEMP-11 @derived
  Rule: Of two AgentsMD middlewares in one agent, only the first inserts its files

    Scenario: Two AgentsMD middlewares with different files
      Given a second AgentsMD middleware for "/p/b.md"
      And the file "/p/b.md" containing "Be brief."
      When the agent runs
      Then the instructions of run 1 contain "/p/a.md"
      And every model call contains the instructions once

    Scenario: A run that is resumed next to another one, with a missing file
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
        | user | \ü*2001 |
      And the configured files "/p/a.md", "/p/late.md"
      And the file "/p/b.md" containing ""
      And "/p/b.md" contains "Be brief." from run 1 on
      And a tool that interrupts the run
      And a handler before the AgentsMD middleware that removes the instructions
      And a second AgentsMD middleware for "/p/b.md"
      And a model that calls a tool 2 times before it answers
      When the agent runs, and is resumed while it runs once more
      Then the instructions of run 1 contain "/p/a.md"
      And the instructions of run 3 contain "/p/a.md"
      And every model call contains the instructions once

  @AMD-IDEMP-12 @documented
  Rule: The instructions are part of the run's state for all later model calls

    @axis:edits-last
    Scenario: An earlier handler observes three model calls
      Given a handler before the AgentsMD middleware that observes
      And a model that calls a tool 2 times before it answers
      When the agent runs
      Then the handler before the AgentsMD middleware sees the instructions before model call 2
      And the handler before the AgentsMD middleware sees the instructions before model call 3

  @AMD-IDEMP-13 @documented
  Rule: Every model call of a run contains exactly one message with the marker of the instructions

    Scenario: Three model calls
      Given a model that calls a tool 2 times before it answers
      When the agent runs
      Then every model call contains 1 message with the marker
