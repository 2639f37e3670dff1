Feature: Invalid values from hooks, wrappers and tools
  Hooks, wrappers and tools are code of middleware authors and can return
  invalid values. The run then fails immediately. The error names the
  middleware that caused the failure, and no later hook, model call or tool
  call takes place.

  @PLUGIN-14 @clarified
  Rule: A middleware hook that returns an invalid update fails the run

    Scenario Outline: An invalid value returned <hook>
      Given a middleware "A" that, <hook>, returns an invalid value
      When the agent runs
      Then the run fails because a hook or a tool returned an invalid value

      Examples: each hook
        | hook         |
        | before agent |
        | before model |
        | after model  |
        | after agent  |

    Scenario: An invalid message added to the conversation
      Given a middleware "A" that, before model, adds an invalid value to the messages
      When the agent runs
      Then the run fails because a hook or a tool returned an invalid value
      And the model is called 0 times

    Scenario: An invalid message before a valid one
      Given a middleware "A" that, before model, adds an invalid value to the messages; adds the user message "More"
      When the agent runs
      Then the run fails because a hook or a tool returned an invalid value
      And the model is called 0 times

    Scenario: A later hook and a model call would follow
      Given a middleware "A" that, before model, returns an invalid value
      And a middleware "B" that observes before model
      When the agent runs
      Then the run fails because a hook or a tool returned an invalid value
      And "B" is never called before model
      And the model is called 0 times

    Scenario: A tool call would follow
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that, after model, returns an invalid value
      When the agent runs
      Then the run fails because a hook or a tool returned an invalid value
      And the tool "t1" never runs

    Scenario: An invalid value returned before the second model call
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that, before model call 2, returns an invalid value
      When the agent runs
      Then the run fails because a hook or a tool returned an invalid value
      And the model is called once

  @PLUGIN-15 @clarified
  Rule: A middleware state value of the wrong type fails the run

    Scenario Outline: A hook sets a field of type <type> to <value>
      Given a middleware "A" that, before model, sets the state "n" to <value>
      And the state of "A" has the fields
        | field | type   |
        | n     | <type> |
      When the agent runs
      Then the run fails because a hook or a tool returned an invalid value
      And the model is called 0 times

      Examples: values of another type
        | type   | value   |
        | number | "seven" |
        | text   | 7       |
        | list   | {"a":1} |

    Scenario: The command of a tool sets a number field to a text
      Given a middleware "A" that observes before model
      And the state of "A" has the fields
        | field | type   |
        | n     | number |
      And "A" provides the tools
        | name | sets       |
        | t1   | {"n": "7"} |
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then the run fails because a hook or a tool returned an invalid value
      And the model is called once

  @PLUGIN-16 @clarified
  Rule: A middleware's after-agent hook that changes the messages or the tools fails the run

    Scenario Outline: The hook <action>
      Given a tool "t1" that returns "ok"
      And a middleware "A" that, after agent, <action>
      When the agent runs
      Then the run fails because a hook or a tool returned an invalid value

      Examples: changes after the final answer
        | action                           |
        | adds the user message "More"     |
        | changes the last message to "No" |
        | offers the model no tools        |

    Scenario: The hook changes its state
      Given a middleware "A" that, after agent, sets the state "n" to 1
      And the state of "A" has the fields
        | field | type   |
        | n     | number |
      When the agent runs
      Then the run succeeds
      And afterwards the state includes {"n": 1}

  @PLUGIN-17 @clarified
  Rule: A middleware's wrapper that returns an invalid answer fails the run

    Scenario: An invalid answer from a model wrapper
      Given a middleware "A" that, around model, returns an invalid value
      And a middleware "B" that observes after model
      When the agent runs
      Then the run fails because a hook or a tool returned an invalid value
      And "B" is never called after model

    Scenario Outline: An invalid result for a tool that is <kind>
      Given the tools
        | name | kind   | parts |
        | t1   | <kind> | found |
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that, around tool, returns an invalid value
      When the agent runs
      Then the run fails because a hook or a tool returned an invalid value
      And the model is called once

      Examples: kinds of tools
        | kind                |
        | invokable           |
        | streamable          |
        | enhanced invokable  |
        | enhanced streamable |

    Scenario Outline: An outer wrapper around the <call> drops the invalid answer
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that, around <call>, calls the next handler and drops its answer; short-circuits with "Mine"
      And a middleware "B" that, around <call>, returns an invalid value
      When the agent runs
      Then the run fails because a hook or a tool returned an invalid value

      Examples:
        | call  |
        | model |
        | tool  |

  @PLUGIN-40 @clarified
  Rule: A middleware's wrapper that passes an invalid request to the next handler fails the run

    Scenario: An invalid request from a model wrapper
      Given a middleware "A" that, around model, passes on an invalid value
      When the agent runs
      Then the run fails because a hook or a tool returned an invalid value
      And the model is called 0 times

    Scenario: An invalid request from a tool wrapper
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that, around tool, passes on an invalid value
      When the agent runs
      Then the run fails because a hook or a tool returned an invalid value
      And the tool "t1" never runs
      And the model is called once

  @PLUGIN-41 @clarified
  Rule: A run fails if a tool that a middleware provides returns nothing

    Scenario: One tool call
      Given a middleware "A" that observes before model
      And "A" provides the tools
        | name | returns nothing |
        | t1   | yes             |
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then the run fails because a hook or a tool returned an invalid value
      And the model is called once
