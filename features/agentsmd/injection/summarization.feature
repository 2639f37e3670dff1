Feature: Together with a summarizing handler
  A summarizing handler replaces old messages with a summary. The instructions can
  be among the replaced messages. The recommended order is the summarizing handler
  first and the AgentsMD middleware second: then the instructions are inserted again
  before the same model call.

  The summarizing handler of the examples replaces all messages but the last with one
  user message, "(summary)". System messages stay.

  Background:
    Given the instruction file "/p/a.md" containing "Answer in French."
    And a model that calls a tool 2 times before it answers

  @AMD-ORDER-06 @documented
  Rule: If the AgentsMD middleware is registered after a summarizing handler, every model call receives the full instructions

    Scenario: Two of three model calls are summarized
      Given a handler before the AgentsMD middleware that replaces more than 2 messages with "(summary)"
      When the agent runs
      Then every model call contains the instructions once
      And model call 2 contains the message "(summary)"
      And model call 3 contains the message "(summary)"

  @AMD-ORDER-09 @derived
  Rule: After a summarization, the instructions directly precede the first user message of the summarized conversation

    Scenario: The summary is a user message
      Given the conversation
        | role      | content         |
        | assistant | How can I help? |
        | user      | What is 2 + 2?  |
      And a handler before the AgentsMD middleware that replaces more than 2 messages with "(summary)"
      When the agent runs
      Then the instructions directly precede "(summary)" in model call 2

    Scenario: Summaries in later rounds, in a resumed run and in another one
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
        | Gut     |
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
        | done |                                   |
      And a handler "H0" that, before model, replaces all messages with the user message "(summary)"; adds the user message "Weiter"
      And AgentsMD with the configured files
      And call 1 of "model model" in run 3 waits until run 2 has ended
      When the agent runs, and is resumed while it runs once more
      Then the instructions directly precede "(summary)" in model call 1
      And the instructions directly precede "(summary)" in model call 3
      And the instructions directly precede "(summary)" in model call 5
      And the instructions directly precede "(summary)" in model call 7
      And the instructions directly precede "(summary)" in model call 8
      And the instructions directly precede "(summary)" in model call 9
      And the instructions directly precede "(summary)" in model call 10
      And the instructions directly precede "(summary)" in model call 12
      And the instructions directly precede "(summary)" in model call 14
      And "/p/a.md" is read 0 times in run 2

  @AMD-ORDER-10 @clarified
  Rule: A handler that counts the messages of a conversation counts the instructions as one message

    @axis:edits-last
    Scenario: Only with the instructions, the second model call exceeds the limit of messages
      Given a handler before the AgentsMD middleware that replaces more than 3 messages with "(summary)"
      When the agent runs
      Then model call 2 contains the message "(summary)"
