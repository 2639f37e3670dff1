Feature: Mistakes of hooks and wrappers
  Hooks and wrappers are other people's work. One that returns what nobody can
  use has a mistake in it, and the run it happens in fails: at once, with an error
  that tells whose mistake it is, and without anything being called any more.

  @PLUGIN-14 @clarified
  Rule: A hook that returns neither nothing nor changes makes the run fail

    Scenario Outline: It does so <hook>
      Given a middleware "A" that, <hook>, returns junk
      When the agent runs
      Then the run fails because a hook has returned what it must not

      Examples: each of the hooks
        | hook         |
        | before agent |
        | before model |
        | after model  |
        | after agent  |

    Scenario: It adds something that is no message
      Given a middleware "A" that, before model, adds junk to the messages
      When the agent runs
      Then the run fails because a hook has returned what it must not
      And "model" never happens

    Scenario: There would be a hook and a model call behind it
      Given a middleware "A" that, before model, returns junk
      And a middleware "B" that looks on before model
      When the agent runs
      Then the run fails because a hook has returned what it must not
      And "B" is never called before model
      And "model" never happens

    Scenario: There would be a tool call behind it
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that, after model, returns junk
      When the agent runs
      Then the run fails because a hook has returned what it must not
      And the tool "t1" never runs

  @PLUGIN-15 @clarified
  Rule: A value that does not fit the field of the state it is for makes the run fail

    Scenario Outline: A hook sets a field of type <type> to <value>
      Given a middleware "A" that, before model, sets the state "n" to <value>
      And the state of "A" has the fields
        | field | type   |
        | n     | <type> |
      When the agent runs
      Then the run fails because a hook has returned what it must not
      And "model" never happens

      Examples: values of another type
        | type   | value   |
        | number | "seven" |
        | text   | 7       |
        | list   | {"a":1} |

    Scenario: A tool's command sets a number to a text
      Given a middleware "A" that looks on before model
      And the state of "A" has the fields
        | field | type   |
        | n     | number |
      And "A" brings the tools
        | name | sets           |
        | t1   | {"n": "seven"} |
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then the run fails because a hook has returned what it must not
      And the model is called once

  @PLUGIN-16 @clarified
  Rule: A hook after the agent that changes the messages or the tools makes the run fail

    Scenario Outline: It <deed>
      Given a tool "t1" that returns "ok"
      And a middleware "A" that, after agent, <deed>
      When the agent runs
      Then the run fails because a hook has returned what it must not

      Examples: what came too late
        | deed                             |
        | adds the user message "More"     |
        | changes the last message to "No" |
        | offers the tools nothing         |

    Scenario: It changes its state
      Given a middleware "A" that, after agent, sets the state "n" to 1
      And the state of "A" has the fields
        | field | type   |
        | n     | number |
      When the agent runs
      Then the run succeeds
      And afterwards the state holds {"n": 1}

  @PLUGIN-17 @clarified
  Rule: A wrapper that does not return an answer makes the run fail

    Scenario: Around the model
      Given a middleware "A" that, around model, returns junk
      And a middleware "B" that looks on after model
      When the agent runs
      Then the run fails because a hook has returned what it must not
      And "B" is never called after model

    Scenario Outline: Around a tool that is <kind>
      Given the tools
        | name | kind   | parts |
        | t1   | <kind> | found |
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that, around tool, returns junk
      When the agent runs
      Then the run fails because a hook has returned what it must not
      And the model is called once

      Examples: kinds of tools
        | kind                |
        | invokable           |
        | streamable          |
        | enhanced invokable  |
        | enhanced streamable |

  @PLUGIN-40 @clarified
  Rule: A wrapper that passes on something else than a request makes the run fail

    Scenario: It is around the model
      Given a middleware "A" that, around model, passes on junk
      When the agent runs
      Then the run fails because a hook has returned what it must not
      And "model" never happens

    Scenario: It is around a tool
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that, around tool, passes on junk
      When the agent runs
      Then the run fails because a hook has returned what it must not
      And the tool "t1" never runs
      And the model is called once

  @PLUGIN-41 @clarified
  Rule: A tool of a middleware that returns nothing makes the run fail

    Scenario: The only tool call
      Given a middleware "A" that looks on before model
      And "A" brings the tools
        | name | nothing |
        | t1   | yes     |
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then the run fails because a hook has returned what it must not
      And the model is called once
