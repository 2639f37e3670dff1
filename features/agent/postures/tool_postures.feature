Feature: Postures of tool calls
  Agent frameworks document different answers to what a failed call of a tool does. Some end the run, others let the model
  correct itself. The text that the model receives in place of a result differs from framework to framework, so no
  scenario reads the text.

  @POSTURE-03 @clarified @axis:tool-failure=reported
  Rule: An agent with the posture tool-failure=reported sends its model a result for a failed tool call

    Scenario: A tool fails
      Given the tools
        | name | fails with |
        | t1   | boom       |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      When the agent runs
      Then the final answer is "done"
      And model call 2 receives
        | role      | calls |
        | user      |       |
        | assistant | t1    |
        | tool      |       |

    Scenario: One of two tools fails
      Given the tools
        | name | returns | fails with |
        | t1   |         | boom       |
        | t2   | two     |            |
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      When the agent runs
      Then the final answer is "done"
      And model call 2 receives
        | role      | calls  |
        | user      |        |
        | assistant | t1, t2 |
        | tool      |        |
        | tool      |        |
      And model call 2 contains the message "two"

    Scenario: A tool fails in each of two answers
      Given the tools
        | name | fails with |
        | t1   | boom       |
      And a model that answers
        | calls | text |
        | t1    |      |
        | t1    |      |
        |       | done |
      When the agent runs
      Then the tool "t1" runs 2 times
      And the final answer is "done"

  @POSTURE-04 @clarified @axis:unknown-tool=reported
  Rule: An agent with the posture unknown-tool=reported sends its model a result for a call of an unknown tool

    Scenario: The second of two called tools is unknown
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls           | text |
        | weather, oracle |      |
        |                 | done |
      When the agent runs
      Then the tool "weather" runs once
      And model call 2 receives
        | role      | calls           |
        | user      |                 |
        | assistant | weather, oracle |
        | tool      |                 |
        | tool      |                 |
      And model call 2 contains the message "sunny"
      And the final answer is "done"

    Scenario: The only called tool is unknown
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls  | text |
        | oracle |      |
        |        | done |
      When the agent runs
      Then the tool "weather" never runs
      And the model is called 2 times
      And the final answer is "done"

  @POSTURE-07 @clarified @axis:same-name=accepted
  Rule: An agent with the posture same-name=accepted can have two tools of one name

    Scenario: The first and the last of three tools have one name
      Given the tools
        | name   | returns    |
        | search | found      |
        | read   | text       |
        | search | also found |
      And a model that answers
        | calls | text |
        | read  |      |
        |       | done |
      When the agent runs
      Then the tool "read" runs once
      And model call 2 contains the message "text"
      And the final answer is "done"

  @POSTURE-08 @clarified @axis:calls-without-tools=reported
  Rule: An agent without tools and with the posture calls-without-tools=reported sends its model a result for a tool call

    Scenario: A call of an unknown tool
      Given an agent
      And a model that answers
        | text    | calls  |
        | I look. | search |
        | done    |        |
      When the agent runs
      Then model call 2 receives
        | role      | calls  |
        | user      |        |
        | assistant | search |
        | tool      |        |
      And the final answer is "done"

  @POSTURE-24 @clarified @axis:calls-without-tools=fails
  Rule: A tool call of an agent without tools and with the posture calls-without-tools=fails fails the run

    Scenario: An answer with a text and a call
      Given an agent
      And a model that answers
        | text    | calls  |
        | I look. | search |
        | done    |        |
      When the agent runs
      Then the run fails
      And the model is called once

  @POSTURE-14 @clarified @axis:failed-sibling=cancelled @axis:tool-failure
  Rule: An agent with the posture failed-sibling=cancelled ends the run without waiting for the other calls of the answer

    Scenario: A slower tool in the same answer
      Given the tools
        | name | returns | fails with | held until              |
        | t1   |         | boom       | the tool "t2" is called |
        | t2   | two     |            | the run has ended       |
      And a model that answers
        | calls  |
        | t1, t2 |
      When the agent runs
      Then the run fails with the error "boom"
      And the events are
        | event   | content |
        | message |         |
        | error   | boom    |
      And the model is called once

  @POSTURE-15 @clarified @axis:tool-information=at-build
  Rule: Building an agent with the posture tool-information=at-build fails if a tool provides no information about itself

    Scenario: No information about one of two tools
      Given the tools
        | name | nameless |
        | t1   |          |
        | t2   | yes      |
      When the agent runs
      Then building the agent fails

    Scenario: Information about each of two tools
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | calls | text |
        | t2    |      |
        |       | done |
      When the agent runs
      Then the tool "t2" runs once
      And the final answer is "done"
