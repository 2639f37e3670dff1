Feature: Processes that die late in a run
  The longer a run, the more is lost with its process. Here the process dies in the second round, after a failed model call
  and while an answer asks for several calls, and it dies more than once. The rules of runs whose process dies hold here too.

  @STOP-47 @clarified
  Rule: A run whose processes die in later rounds continues each time with all that was saved

    Scenario Outline: During the second of two calls, and during the last model call of a <mode> run
      Given a <mode> run
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       |
        | t0   | früh    | streamable |
        | t1   |         |            |
        | t2   | two     |            |
      And a model that answers
        | text   | calls                                                | fails with |
        | Los    | t0({"city": "Köln"}) as e                            |            |
        |        |                                                      | busy       |
        | Weiter | t1({"city": "Köln"}) as a, t2({"city": "Bonn"}) as b |            |
        | Lost   |                                                      |            |
        | Fertig |                                                      |            |
      And a handler "H0" that observes
      And a handler "H1" that observes
      And the process dies when the tool "t2" is called
      And in run 2, the process dies when call 1 of "model model" in run 2 is made
      When the agent runs, is resumed, and is resumed again from the new stop
      Then the tool "t0" runs once
      And the tool "t1" runs once
      And the tool "t2" runs 2 times
      And the model is called 5 times
      And model call 5 receives
        | role      | content | calls            |
        | user      | Hello.  |                  |
        | assistant | Los     | t0 as e          |
        | tool      | früh    |                  |
        | assistant | Weiter  | t1 as a, t2 as b |
        | tool      |         |                  |
        | tool      | two     |                  |
      And the final answer of run 3 is "Fertig"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    @axis:edits-last
    Scenario: During each of two model calls after rounds with equal answers
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
        | user | Grüße.  |
      And a session in which "city" is "Köln"
      And the tools
        | name | returns | kind       | actions                                |
        | t0   | früh    | streamable | sets the session value "mood" to "gut" |
        | t1   |         |            | reads the session value "mood"         |
      And a model that answers
        | text   | calls            |
        | Los    | t0 as a, t1 as b |
        | Lost   |                  |
        | Los    | t0 as a, t1 as b |
        | Lost   |                  |
        | Fertig |                  |
      And a handler "H0" that, before model call 1 of run 1, adds the user message "Kürzer."
      And a handler "H1" that observes
      And the process dies when call 2 of "model model" in run 1 is made
      And in run 2, the process dies when call 2 of "model model" in run 2 is made
      When the agent runs, is resumed, and is resumed again from the new stop
      Then the tool "t0" runs 2 times
      And the tool "t1" runs 2 times
      And model call 5 receives
        | role      | content | calls            |
        | user      | Grüße.  |                  |
        | user      | Grüße.  |                  |
        | user      | Kürzer. |                  |
        | assistant | Los     | t0 as a, t1 as b |
        | tool      | früh    |                  |
        | tool      |         |                  |
        | assistant | Los     | t0 as a, t1 as b |
        | tool      | früh    |                  |
        | tool      |         |                  |
      And after run 3, the session has the value "Köln" under "city"
      And after run 3, the session has the value "gut" under "mood"
      And the final answer of run 3 is "Fertig"

    Scenario: During the third model call, and another run begins while this one is resumed
      Given a streaming run
      And the tools
        | name | returns | kind       |
        | t0   | früh    | streamable |
        | t1   |         |            |
      And a model that answers
        | text   | calls                              |
        | Los    | t0({"city": "Köln"}) as a          |
        | Weiter | t1({"city": "Köln"}) as b, t0 as c |
        | Lost   |                                    |
        | Fertig |                                    |
      And in run 3, the model answers
        | text  |
        | Bitte |
      And in run 3, the user writes "Danke."
      And a handler "H0" that observes
      And a handler "H1" that observes
      And the process dies when call 3 of "model model" in run 1 is made
      And call 1 of "model model" in run 3 waits until run 2 has ended
      When the agent runs, and is resumed while it runs once more
      Then the tool "t0" runs 2 times
      And the tool "t1" runs once
      And the final answer of run 2 is "Fertig"
      And the final answer of run 3 is "Bitte"

    Scenario: In the second round of a sub-agent, and then in the outer agent's last model call
      Given a sub-agent "helper"
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       |
        | t0   | früh    | streamable |
        | t1   |         |            |
      And a model that answers
        | text     | calls                              | fails with |
        | Los      | t0({"city": "Köln"}) as a          |            |
        |          |                                    | busy       |
        | Weiter   | t1({"city": "Köln"}) as b, t0 as a |            |
        | Lost     |                                    |            |
        | geholfen |                                    |            |
      And an outer agent
      And a tool "t2" that returns "two"
      And a model that answers
        | text   | calls                                  |
        | Erst   | t2 as a                                |
        | Hilf   | helper({"request": "Grüße."}), t2 as a |
        | Lost   |                                        |
        | Fertig |                                        |
      And a handler "H0" that observes
      And a handler "H1" that observes
      And the process dies when call 4 of "model helper's" in run 1 is made
      And in run 2, the process dies when call 1 of "model model" in run 2 is made
      When the agent runs, is resumed, and is resumed again from the new stop
      Then the tool "t0" runs 2 times
      And the tool "t1" runs once
      And the tool "t2" runs 2 times
      And call 5 of the model "helper's" receives
        | role      | content | calls            |
        | user      | Grüße.  |                  |
        | assistant | Los     | t0 as a          |
        | tool      | früh    |                  |
        | assistant | Weiter  | t1 as b, t0 as a |
        | tool      |         |                  |
        | tool      | früh    |                  |
      And "model" is called 4 times
      And call 4 of the model "model" receives
        | role      | content  |
        | user      | Hello.   |
        | assistant | Erst     |
        | tool      | two      |
        | assistant | Hilf     |
        | tool      | geholfen |
        | tool      | two      |
      And the final answer of run 3 is "Fertig"
