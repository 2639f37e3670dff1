Feature: Beside a handler that summarises
  A handler that replaces old messages by a summary may take the instructions
  with it. So it is recommended to register it before the AgentsMD handler, which
  then puts them back into the shortened conversation before the same call.

  Background:
    Given the instructions file "/p/a.md" holding "Answer in French."
    And a model that asks for a tool 2 times before it answers

  @AMD-ORDER-06 @documented
  Rule: Registered after it, AgentsMD gives every model call the full instructions

    Scenario: Two of three calls are summarised
      Given a handler before it that summarises more than 2 messages
      When the agent runs
      Then every model call carries the instructions once
      And model call 2 holds a message that says "(summary)"
      And model call 3 holds a message that says "(summary)"

  @AMD-ORDER-07 @clarified
  Rule: Registered before it, AgentsMD's instructions are missing from a summarised call

    Scenario: The second call is summarised
      Given a handler behind it that summarises more than 2 messages
      When the agent runs
      Then model call 2 of run 1 carries the instructions 0 times

  @AMD-ORDER-09 @derived
  Rule: After a summary, the instructions stand before the first user message that is left

    Scenario: The summary is a user message
      Given a handler before it that summarises more than 2 messages
      When the agent runs
      Then the instructions stand directly before "(summary)" in model call 2

  @AMD-ORDER-10 @clarified
  Rule: The instructions count as a message for handlers that count

    Scenario: With them, the second call has one message more than may be
      Given a handler before it that summarises more than 3 messages
      When the agent runs
      Then model call 2 holds a message that says "(summary)"
