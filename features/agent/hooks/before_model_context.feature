Feature: What the hooks around a model call are shown, and how they fail
  Before a model call a handler is shown what the run is carrying, and in
  both hooks, before and after the model, how the call is configured. An
  error of the hook before model ends the run: a model is not asked on the
  grounds of a conversation that nobody has finished.

  @HOOK-BM-08 @documented
  Rule: It is shown the whole conversation and the tools that the model would be given

    Scenario: Two model calls
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text   | calls |
        | asking | t2    |
        | done   |       |
      And a handler "H" that looks on before model
      When the agent runs
      Then before model call 1, "H" sees the messages
        | role | content |
        | user | Hello.  |
      And before model call 1, "H" sees, in any order, the tools t1, t2
      And before model call 2, "H" sees the messages
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | asking  | t2    |
        | tool      | two     |       |
      And before model call 2, "H" sees, in any order, the tools t1, t2

    Scenario: Deferred tools
      Given a tool "t1" that returns "one"
      And a handler "H1" that, before model, defers the tools t2
      And a handler "H2" that looks on before model
      When the agent runs
      Then before model, "H2" sees the tools t1
      And before model, "H2" sees the deferred tools t2

  @HOOK-BM-09 @documented
  Rule: The hooks before and after the model are told of the tools and of the retry configuration

    Scenario: Retry is configured
      Given a tool "t1" that returns "one"
      And failed model calls are made again once at most
      And a handler "H" that looks on before model and after model
      When the agent runs
      Then before model, "H" is told of the tools t1
      And before model, "H" is told of a retry
      And after model, "H" is told of the tools t1
      And after model, "H" is told of a retry

    Scenario: Retry is not configured
      Given a tool "t1" that returns "one"
      And a handler "H" that looks on before model and after model
      When the agent runs
      Then before model, "H" is told of the tools t1
      And before model, "H" is told nothing of a retry
      And after model, "H" is told of the tools t1
      And after model, "H" is told nothing of a retry

  @HOOK-BM-04 @derived
  Rule: Its error ends the run, and the model is not called

    Scenario Outline: The error comes before the first model call, in a <mode> run
      Given a <mode> run
      And a handler "H" that, before model, fails with "not today"
      When the agent runs
      Then the run fails
      And "H" is called once before model
      And the model is called 0 times

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: The error comes before the second model call
      Given a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H" that, before model call 2, fails with "not now"
      When the agent runs
      Then the run fails
      And the model is called once

  @HOOK-BM-05 @clarified
  Rule: A failure of it that nobody foresaw is an event of the run

    Scenario: A handler breaks
      Given a handler "H" that, before model, fails unforeseen with "oops"
      When the agent runs
      Then the events are
        | event | content |
        | error | oops    |
      And the model is called 0 times
