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

    Scenario Outline: The process of one of two equal runs dies when <moment> in run 2 is made
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "city" is "Köln"
      And a session in which "none" is ""
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       | actions                                |
        | t0   | früh    | streamable | sets the session value "mood" to "gut" |
        | t1   |         | streamable | reads the session value "none"         |
      And a model that answers
        | text   | calls                                                | fails with |
        |        | t0({"city": "Köln"}) as a, t1({"city": "Bonn"}) as b |            |
        |        |                                                      | busy       |
        |        | t0({"city": "Bonn"}) as c, t1({"city": "Köln"}) as d |            |
        | Fertig |                                                      |            |
        | Danke  |                                                      |            |
      And a handler "H0" that observes before model
      And a handler "H1" that observes before model
      And call 2 of "model model" in run 2 waits until run 1 has ended
      And in run 2, the process dies when <moment> in run 2 is made
      When the agent runs twice concurrently, and run 2 is resumed
      Then the tool "t0" runs <t0> times
      And the tool "t1" runs <t1> times
      And the model is called <calls> times
      And after run 3, the session has the value "Köln" under "city"
      And after run 3, the session has the value "gut" under "mood"
      And model call <calls> receives
        | role      | content | calls            |
        | user      | Grüße.  |                  |
        | assistant |         | t0 as a, t1 as b |
        | tool      | früh    |                  |
        | tool      |         |                  |
        | assistant |         | t0 as c, t1 as d |
        | tool      | früh    |                  |
        | tool      |         |                  |
      And run 3 succeeds

      Examples:
        | moment                  | t0 | t1 | calls |
        | call 4 of "model model" | 4  | 4  | 9     |
        | call 2 of "tool t0"     | 5  | 4  | 8     |
        | call 2 of "tool t1"     | 4  | 5  | 8     |

    @axis:limit-ends
    Scenario: The last call that the iteration limit allows is made before one of two equal runs dies
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And tool calls run sequentially
      And an iteration limit of 2
      And the tools
        | name | returns |
        | t0   | früh    |
        | t1   |         |
      And a model that answers
        | calls            |
        | t1 as a, t0 as b |
        | t1 as c, t0 as d |
        | t1 as e, t0 as f |
      And a handler "H0" that observes before model
      And a handler "H1" that observes before model
      And call 2 of "model model" in run 2 waits until run 1 has ended
      And in run 2, the process dies when call 2 of "tool t0" in run 2 is made
      When the agent runs twice concurrently, and run 2 is resumed
      Then run 3 fails
      And the model is called 4 times

    Scenario Outline: The process of one of two equal <mode> runs dies while a tool of its sub-agent waits for the caller
      Given a <mode> run
      And a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And a sub-agent "helper"
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | interrupts | actions                               |
        | t0   | früh    | streamable |            | sets the session value "who" to "Kim" |
        | t1   |         | streamable | yes        | reads the session value "mood"        |
      And a model that answers
        | text     | calls                                                |
        |          | t0({"city": "Köln"}) as a                            |
        |          | t0({"city": "Bonn"}) as b, t1({"city": "Köln"}) as c |
        | geholfen |                                                      |
      And an outer agent
      And a model that answers
        | text   | calls                         |
        |        | helper({"request": "Grüße."}) |
        | Fertig |                               |
      And a handler "H0" that observes before model
      And a handler "H1" that observes before model
      And call 2 of "model helper's" in run 2 waits until run 1 has ended
      And in run 2, the process dies when the run has ended
      And the caller resumes the tool "t1" with "ja"
      When the agent runs twice concurrently, and run 2 is resumed
      Then the tool "t0" runs 4 times
      And the tool "t1" runs 3 times
      And call 3 of the tool "t1" receives the resume data "ja"
      And after run 3, the session has the value "Kim" under "who"
      And the final answer of run 3 is "Fertig"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A session value is set before each of two deaths
      Given a streaming run
      And the tools
        | name | returns | actions                                |
        | t0   | früh    | sets the session value "mood" to "gut" |
        | t1   | one     | sets the session value "who" to "Kim"  |
      And a model that answers
        | text   | calls   |
        | Erst   | t0 as a |
        | Lost   |         |
        | Dann   | t1 as b |
        | Lost   |         |
        | Fertig |         |
      And the process dies when call 2 of "model model" in run 1 is made
      And in run 2, the process dies when call 2 of "model model" in run 2 is made
      When the agent runs, is resumed, and is resumed again from the new stop
      Then the tool "t0" runs once
      And the tool "t1" runs once
      And after run 3, the session has the value "gut" under "mood"
      And after run 3, the session has the value "Kim" under "who"
      And the final answer of run 3 is "Fertig"

    Scenario: The process of one of two equal runs dies in a sub-agent that is called with another tool
      Given a streaming run
      And a sub-agent "helper"
      And a tool "t0" that returns "früh"
      And a model that answers
        | text     | calls   |
        | Los      | t0 as a |
        | Lost     |         |
        | geholfen |         |
      And an outer agent
      And tool calls run sequentially
      And a tool "t1" that returns "one"
      And a model that answers
        | text   | calls                                       |
        | Hilf   | helper({"request": "Grüße."}) as b, t1 as c |
        | Fertig |                                             |
      And call 1 of "model helper's" in run 2 waits until run 1 has ended
      And in run 2, the process dies when call 2 of "model helper's" in run 2 is made
      When the agent runs twice concurrently, and run 2 is resumed
      Then the tool "t0" runs 2 times
      And the tool "t1" runs 2 times
      And call 5 of the model "helper's" receives
        | role      | content | calls   |
        | user      | Grüße.  |         |
        | assistant | Los     | t0 as a |
        | tool      | früh    |         |
      And the final answer of run 3 is "Fertig"
