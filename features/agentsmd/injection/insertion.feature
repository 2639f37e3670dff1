Feature: The message with the instructions
  The AgentsMD middleware inserts the content of all instruction files into the
  conversation as one message. These rules describe the position, the role and the
  marker of this message. The rules in content_format.feature describe its text.
  {instructions} stands for the message with the instructions.

  A key in the extra data of the message marks the message. An agent works with plain
  messages or with agentic messages. An agentic message consists of content blocks.

  Background:
    Given the instruction file "/p/a.md" containing "Answer in French."

  @AMD-INJECT-01 @documented
  Rule: The AgentsMD middleware inserts the instructions directly before the first user message

    Scenario: An assistant message before the first user message
      Given the conversation
        | role      | content         |
        | system    | You are terse.  |
        | assistant | How can I help? |
        | user      | What is 2 + 2?  |
      When the agent runs
      Then the instructions directly precede "What is 2 + 2?"

    Scenario: Conversations that a handler replaces before each call, of a run that is resumed while another one begins
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
        | Gut     |
      And an outer agent
      And failed model calls are retried at most once
      And the tools
        | name | returns | interrupts |
        | t1   |         | yes        |
      And a model that answers
        | text | calls                             | fails with |
        |      | helper({"request": "Köln?"}) as a |            |
        |      |                                   | busy       |
        |      | helper({"request": "Bonn?"}) as b |            |
        |      | t1 as c                           |            |
        | done |                                   |            |
      And a handler "H0" with the actions
        | hook         | action                                                                                                                       |
        | before model | replaces all messages with the user message "Weiter"; adds the assistant message "Ja?"; adds the user message "Nein"         |
        | before model | adds the assistant message "Gut"; adds the user message "Dann"; adds the assistant message "Ja?"; adds the user message "Ja" |
        | before model | inserts the system message "Kurz." first; inserts the system message "" first                                                |
      And AgentsMD with the configured files
      And a handler "H1" that, before model, inserts the user message "Vorher" first
      And call 1 of "model model" in run 3 waits until run 2 has ended
      When the agent runs, and is resumed while it runs once more
      Then the instructions directly precede "Weiter" in model call 1
      And the instructions directly precede "Weiter" in model call 4
      And the instructions directly precede "Weiter" in model call 6
      And the instructions directly precede "Weiter" in model call 7
      And the instructions directly precede "Weiter" in model call 11

  @AMD-INJECT-02 @documented
  Rule: The instructions have the user role

    Scenario: A conversation of one message
      Given the conversation
        | role | content        |
        | user | What is 2 + 2? |
      When the agent runs
      Then the instructions have the user role

    Scenario Outline: A conversation of one <role> message
      Given the conversation
        | role   | content        |
        | <role> | You are terse. |
      When the agent runs
      Then the instructions have the user role

      Examples: conversations without a user message
        | role      |
        | system    |
        | assistant |

  @AMD-INJECT-03 @documented
  Rule: Without a user message, the instructions are the last message

    Scenario: Only a system message
      Given the conversation
        | role   | content        |
        | system | You are terse. |
      When the agent runs
      Then the instructions are the last message

    Scenario: A system message and an assistant message
      Given the conversation
        | role      | content         |
        | system    | You are terse.  |
        | assistant | How can I help? |
      When the agent runs
      Then the instructions are the last message

    Scenario: No message
      Given an empty conversation
      When the agent runs
      Then the instructions are the last message

    Scenario Outline: <left> left before each call, of a run that is resumed while another one begins
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
        | Gut     |
      And an outer agent
      And failed model calls are retried at most once
      And the tools
        | name | returns | interrupts |
        | t1   |         | yes        |
      And a model that answers
        | text | calls                             | fails with |
        |      | helper({"request": "Köln?"}) as a |            |
        |      |                                   | busy       |
        |      | helper({"request": "Bonn?"}) as b |            |
        |      | t1 as c                           |            |
        | done |                                   |            |
      And a handler "H0" that, before model, removes all messages<changes>
      And AgentsMD with the configured files
      And a handler "H1" that, before model, adds the user message "Weiter"
      And call 1 of "model model" in run 3 waits until run 2 has ended
      When the agent runs, and is resumed while it runs once more
      Then the instructions directly precede "Weiter" in model call 1
      And the instructions directly precede "Weiter" in model call 4
      And the instructions directly precede "Weiter" in model call 6
      And the instructions directly precede "Weiter" in model call 7
      And the instructions directly precede "Weiter" in model call 11

      Examples:
        | left                          | changes                                                                      |
        | No message                    |                                                                              |
        | A system and an assistant one | ; adds the assistant message "Ja?"; inserts the system message "Kurz." first |

  @AMD-INJECT-04 @documented
  Rule: In a conversation with several user messages, the instructions directly precede the oldest user message

    Scenario: Three user messages
      Given the conversation
        | role      | content        |
        | user      | What is 2 + 2? |
        | assistant | 4              |
        | user      | And times 3?   |
        | assistant | 12             |
        | user      | Minus 1?       |
      When the agent runs
      Then the instructions directly precede "What is 2 + 2?"

  @AMD-INJECT-05 @documented
  Rule: The instructions are marked with "__agentsmd_content__" in their extra data

    Scenario: One user message
      Given the conversation
        | role | content        |
        | user | What is 2 + 2? |
      When the agent runs
      Then only the instructions are marked

  @AMD-INJECT-06 @derived
  Rule: The caller's messages reach the model unchanged and in order

    Scenario: A conversation with a tool call
      Given the conversation
        | role      | content        | calls     |
        | system    | You are terse. |           |
        | user      | What is 2 + 2? |           |
        | assistant | Let me see.    | calculate |
        | tool      | 4              |           |
        | system    | Be brief.      |           |
        | user      | And times 3?   |           |
      When the agent runs
      Then apart from the instructions, the model receives
        | role      | content        | calls     |
        | system    | You are terse. |           |
        | user      | What is 2 + 2? |           |
        | assistant | Let me see.    | calculate |
        | tool      | 4              |           |
        | system    | Be brief.      |           |
        | user      | And times 3?   |           |

    Scenario: A call that a handler makes before each model call, in a resumed run and in another one
      Given a streaming run
      And the conversation
        | role | content |
        | user | \ü*2001 |
        | user | \ü*2001 |
      And a sub-agent "helper"
      And an outer agent
      And the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that answers
        | text | calls                             |
        |      | helper({"request": "Köln?"}) as a |
        |      | t1({"city": "Köln"}) as b         |
        | done |                                   |
      And a handler "H0" that, before model, replaces all messages with the user message "Weiter"; adds the assistant message ""; makes the last message call t1({"city": "Bonn"}) as c
      And AgentsMD with the configured files
      And call 1 of "model model" in run 3 waits until run 2 has ended
      When the agent runs, and is resumed while it runs once more
      Then call 2 of the model "model" ends with
        | role      | content | calls | arguments        |
        | user      | Weiter  |       |                  |
        | assistant |         | t1    | {"city": "Bonn"} |
      And call 3 of the model "model" ends with
        | role      | content | calls | arguments        |
        | user      | Weiter  |       |                  |
        | assistant |         | t1    | {"city": "Bonn"} |

  @AMD-INJECT-08 @derived
  Rule: Among agentic messages, the instructions have the same position and marker as among plain messages

    Scenario: Agentic messages with two user messages
      Given a conversation of agentic messages
        | role      | content         |
        | assistant | How can I help? |
        | user      | What is 2 + 2?  |
        | assistant | 4               |
        | user      | And times 3?    |
      When the agent runs
      Then the instructions directly precede "What is 2 + 2?"
      And only the instructions are marked

    Scenario: Agentic messages without a user message
      Given a conversation of agentic messages
        | role   | content        |
        | system | You are terse. |
      When the agent runs
      Then the instructions are the last message

  @AMD-INJECT-11 @derived
  Rule: The instructions do not change the tools that the model receives

    Scenario: An agent with two tools
      Given the tools "search", "calculate"
      When the agent runs
      Then the model receives the tools "search", "calculate"
      And every model call contains the instructions once

    Scenario: A handler defers a tool before the instructions are inserted
      Given a handler before the AgentsMD middleware that defers the tool "search"
      When the agent runs
      Then model call 1 receives only the deferred tool "search"

    @axis:edits-last
    Scenario: A handler defers a tool, and the instructions are inserted again
      Given a handler before the AgentsMD middleware that removes the instructions
      And a handler after the AgentsMD middleware that defers the tool "search"
      And a model that calls a tool 1 time before it answers
      When the agent runs
      Then model call 2 receives only the deferred tool "search"
      And every model call contains the instructions once

    Scenario: A middleware changes the tools, and the instructions are inserted again
      Given the tools
        | name | returns |
        | t1   | ok      |
        | t2   | ok      |
      And a model that calls "t1" once before it answers "done"
      And a middleware "M" that, before model call 2, replaces all messages with the user message "Hm."; offers the model the tools "t2"
      And AgentsMD with the configured files
      When the agent runs
      Then model call 1 receives the tools "t1", "t2"
      And model call 2 receives only the tool "t2"
      And every model call contains the instructions once

  @AMD-INJECT-12 @derived
  Rule: All instruction files are inserted as one message

    Scenario: Two configured files and an import
      Given the configured files "/p/a.md", "/p/b.md"
      And the file "/p/b.md" containing "Be brief. @c.md"
      And the file "/p/c.md" containing "Be kind."
      And the conversation
        | role | content        |
        | user | What is 2 + 2? |
      When the agent runs
      Then the model receives 2 messages
      And the instructions of run 1 contain "/p/a.md", "/p/b.md", "/p/c.md"

  @AMD-INJECT-13 @documented
  Rule: The before-model hook of the AgentsMD middleware inserts the instructions into the state

    Scenario: A later handler observes the state
      Given a handler after the AgentsMD middleware that observes
      And the conversation
        | role | content        |
        | user | What is 2 + 2? |
      When the agent runs
      Then the handler after the AgentsMD middleware sees the instructions before model call 1

  @AMD-INJECT-15 @derived
  Rule: The AgentsMD middleware acts only in the before-model hook

    Scenario: A run with a tool call
      Given a handler after the AgentsMD middleware that observes
      And a model that calls a tool 1 time before it answers
      And the conversation
        | role | content        |
        | user | What is 2 + 2? |
      When the agent runs
      Then no file is read before the first model call is prepared
      And the tool's arguments and result are not changed
      And the handler after the AgentsMD middleware sees the answer unchanged

  @CALLER-01 @clarified
  Rule: The list of messages that the caller passes to a run is not changed

    Scenario: Two runs with the same list of messages
      Given the caller passes the same list of messages to each run
      When the agent runs twice
      Then "/p/a.md" is read 1 time in run 2
      And every model call contains the instructions once

  @AMD-INJECT-14 @documented
  Rule: With a system prompt, the messages are in the order system prompt, instructions, history, current message

    Scenario: An instruction and a conversation of three messages
      Given an instruction "You are terse."
      And the conversation
        | role      | content        |
        | user      | What is 2 + 2? |
        | assistant | 4              |
        | user      | And times 3?   |
      When the agent runs
      Then the model receives
        | role      | content        |
        | system    | You are terse. |
        | user      | {instructions} |
        | user      | What is 2 + 2? |
        | assistant | 4              |
        | user      | And times 3?   |
