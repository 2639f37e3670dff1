Feature: Return-directly tools late in a run
  The result of a return-directly tool ends the run as its final answer. The rules below decide which result is the final
  answer of an answer with several calls, and what the iteration limit means for such a tool, also in later rounds, in a
  second run, and in a sub-agent.

  @RETDIR-03 @documented
  Rule: If one answer calls several return-directly tools, the first one provides the final answer

    Scenario: A sub-agent calls two return-directly tools
      Given a sub-agent "helper"
      And an input schema without properties
      And the tools
        | name  | returns |
        | first | yes     |
        | last  | no      |
      And the tools "first", "last" return directly
      And a model that answers
        | calls       |
        | first, last |
      And an outer agent
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs
      Then call 2 of the model "model" receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | yes     |

    Scenario: Two such calls in the second round of the second run
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And the tools
        | name  | returns | kind       |
        | t0    | \ü*2001 | streamable |
        | first | yes     |            |
        | last  | no      |            |
      And the tools "first", "last" return directly
      And a model that answers
        | calls                          | text |
        | t0 as a                        |      |
        | t0 as b, first as c, last as d | Gut  |
      And a handler "H" that observes before model
      When the agent runs twice
      Then the final answer of run 1 is "yes"
      And the final answer of run 2 is "yes"

  @MAXITER-08 @derived
  Rule: A run succeeds if a return-directly tool ends it after the last allowed model call

    Scenario: A limit of one with a return-directly tool
      Given a tool "t1" that returns "one"
      And the tool "t1" returns directly
      And a model that calls "t1" once before it answers "done"
      And an iteration limit of 1
      When the agent runs
      Then the final answer is "one"

    Scenario: A limit of two, and an interrupt in the call of the return-directly tool
      Given the tools
        | name | returns | interrupts |
        | t1   | one     |            |
        | t2   | two     | yes        |
      And the tool "t2" returns directly
      And a model that answers
        | calls |
        | t1    |
        | t2    |
      And an iteration limit of 2
      When the agent runs and is resumed
      Then the final answer of run 2 is "two"

    Scenario: A sub-agent and its outer agent that reach their limits, after an interrupt
      Given a streaming run
      And a sub-agent "helper"
      And the tools
        | name | returns | kind       | actions                        |
        | s1   | helped  | streamable | reads the session value "mood" |
      And the tool "s1" returns directly
      And an iteration limit of 1
      And a model that answers
        | calls   |
        | s1 as p |
        | s1 as q |
      And a handler "S" that observes before model
      And an outer agent
      And a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name | returns | interrupts |
        | t0   | früh    | yes        |
        | t1   | done    |            |
      And the tool "t1" returns directly
      And an iteration limit of 3
      And a model that answers
        | calls                             |
        | t0 as b                           |
        | helper({"request": "Bonn?"}) as a |
        | t1 as c                           |
      And a handler "H1" that observes before model
      And a handler "H2" that observes before model
      When the agent runs, and is resumed while it runs once more
      Then run 1 is interrupted by "t0"
      And the final answer of run 2 is "done"
      And run 3 is interrupted by "t0"

  @LOOP-23 @derived
  Rule: A return-directly tool ends a run with agentic messages

    Scenario: A return-directly tool
      Given the messages are agentic
      And a tool "t1" that returns "one"
      And the tool "t1" returns directly
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      When the agent runs
      Then the final answer is "one"
      And the model is called once

    Scenario: A return-directly tool after a long conversation
      Given a conversation of agentic messages
        | role      | content |
        | user      | Grüße.  |
        | assistant | Gut     |
        | user      | \ü*2001 |
      And a session in which "mood" is ""
      And a tool "t1" that returns "one"
      And the tool "t1" returns directly
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      And a handler "H" that, before agent, reads the session value "mood"
      When the agent runs
      Then the final answer is "one"
      And the model is called once