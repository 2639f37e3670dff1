Feature: Hooks that interrupt late in a run
  A hook has to find its run as it was, wherever it interrupts: here after a tool call and a failed model call, while an
  answer asks for several calls, in a run that is resumed twice, and next to another run. The rules of hooks that interrupt
  hold here too.

  @STOP-45 @clarified
  Rule: A run that hooks interrupt in a later round repeats nothing when it is resumed

    Scenario: Before the second round of a streaming run, and at its first call
      Given a streaming run
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       |
        | t0   | früh    | streamable |
        | t1   | one     |            |
        | t2   | two     |            |
      And a model that answers
        | text   | calls                                                | fails with |
        | Los    | t0({"city": "Köln"}) as e                            |            |
        |        |                                                      | busy       |
        | Weiter | t1({"city": "Köln"}) as a, t2({"city": "Bonn"}) as b |            |
        | Fertig |                                                      |            |
      And a handler "H0" that observes
      And a handler "H1" that, before model call 2, interrupts the run
      And a handler "H1" that, around tool "t1", interrupts the run
      And in run 2, the caller resumes the handler "H1" with "ja"
      And in run 3, the caller resumes the handler "H1" with ""
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 1 is interrupted by "H1"
      And run 2 is interrupted by "H1"
      And before model of run 2, "H1" receives the resume data "ja"
      And around tool call 1 of run 3, "H1" receives the resume data ""
      And "H0" is called 3 times before model
      And "H0" is called 3 times after model
      And the tool "t0" runs once
      And the tool "t1" runs once
      And the tool "t2" runs once
      And model call 4 receives
        | role      | content | calls            |
        | user      | Hello.  |                  |
        | assistant | Los     | t0 as e          |
        | tool      | früh    |                  |
        | assistant | Weiter  | t1 as a, t2 as b |
        | tool      | one     |                  |
        | tool      | two     |                  |
      And the final answer of run 3 is "Fertig"

    @axis:interrupted-wrapper
    Scenario: After the model call and after a tool call of the second round, with equal answers
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
        | user | Grüße.  |
      And the tools
        | name | returns | kind       |
        | t0   | früh    | streamable |
        | t1   | früh    | streamable |
        | t2   | two     |            |
      And a model that answers
        | text   | calls            |
        | Los    | t0 as a          |
        | Los    | t1 as a, t2 as b |
        | Fertig |                  |
      And a handler "H0" that observes
      And a handler "H1" that, around model call 2, calls the next handler; interrupts the run
      And a handler "H1" that, around tool "t1", calls the next handler; interrupts the run
      And in run 2, the caller resumes the handler "H1" with "ja"
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 1 is interrupted by "H1"
      And around model of run 2, "H1" receives the resume data "ja"
      And run 2 is interrupted by "H1"
      And the model is called 3 times
      And "H0" is called 3 times before model
      And "H0" is called 3 times after model
      And the tool "t0" runs once
      And the tool "t1" runs once
      And the tool "t2" runs once
      And model call 3 receives
        | role      | content | calls            |
        | user      | Grüße.  |                  |
        | user      | Grüße.  |                  |
        | assistant | Los     | t0 as a          |
        | tool      | früh    |                  |
        | assistant | Los     | t1 as a, t2 as b |
        | tool      | früh    |                  |
        | tool      | two     |                  |
      And the final answer of run 3 is "Fertig"

    @axis:after-order @axis:edits-last
    Scenario: After the second model call, resumed twice from this stop
      Given a streaming run
      And the tools
        | name | returns |
        | t0   | früh    |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text   | calls            |
        | Los    | t0 as e          |
        | Weiter | t1 as a, t2 as b |
        | Fertig |                  |
      And a handler "H0" that, before model call 2 of run 1, adds the user message "Kürzer."
      And a handler "H0" that, after model call 2 of run 1, observes
      And a handler "H1" that, after model call 2 of run 1, interrupts the run
      And in run 2, the caller resumes the handler "H1" with "ja"
      And in run 3, the caller resumes the handler "H1" with "nein"
      When the agent runs, is resumed, and is resumed again from the first stop
      Then run 1 is interrupted by "H1"
      And after model of run 2, "H1" receives the resume data "ja"
      And after model of run 3, "H1" receives the resume data "nein"
      And the tool "t0" runs once
      And the tool "t1" runs 2 times
      And the tool "t2" runs 2 times
      And model call 3 begins with the messages of model call 2
      And model call 4 begins with the messages of model call 2
      And the final answer of run 2 is "Fertig"
      And the final answer of run 3 is "Fertig"

    Scenario: Before the second round, resumed while the agent has another run
      Given the tools
        | name | returns |
        | t0   | früh    |
        | t1   | one     |
        | t2   | two     |
      And a model that answers
        | text   | calls            |
        | Los    | t0 as e          |
        | Weiter | t1 as a, t2 as b |
        | Fertig |                  |
      And a handler "H0" that observes
      And a handler "H1" that, before model call 2 of run 1, interrupts the run
      And a handler "H2" that, around tool "t1" of run 2, observes
      And in run 2, the caller resumes the handler "H1" with "ja"
      And call 1 of "model model" in run 3 waits until run 2 has ended
      When the agent runs, and is resumed while it runs once more
      Then run 1 is interrupted by "H1"
      And before model of run 2, "H1" receives the resume data "ja"
      And before model of run 3, "H1" receives no resume data
      And the final answer of run 2 is "Fertig"
      And the final answer of run 3 is "Fertig"
      And the model is called 6 times
      And the tool "t0" runs 2 times
      And the tool "t1" runs 2 times
      And the tool "t2" runs 2 times

    @axis:interrupted-wrapper
    Scenario: In the second round of a sub-agent, at two hooks
      Given a streaming run
      And a sub-agent "helper"
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       |
        | t0   | früh    | streamable |
        | t1   | one     |            |
        | t2   | two     |            |
      And a model that answers
        | text     | calls                                                | fails with |
        | Los      | t0({"city": "Köln"}) as e                            |            |
        |          |                                                      | busy       |
        | Weiter   | t1({"city": "Köln"}) as a, t2({"city": "Bonn"}) as b |            |
        | geholfen |                                                      |            |
      And a handler "H1" that, before model call 2, interrupts the run
      And a handler "H1" that, around tool "t1", calls the next handler; interrupts the run
      And an outer agent
      And a model that answers
        | text   | calls                        |
        | Hilf   | helper({"request": "Help."}) |
        | Fertig |                              |
      And a handler "H0" that observes
      And in run 2, the caller resumes the handler "H1" with "ja"
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 1 is interrupted by "H1"
      And run 2 is interrupted by "H1"
      And before model of run 2, "H1" receives the resume data "ja"
      And "model" is called 2 times
      And "H0" is called 2 times before model
      And "model helper's" is called 4 times
      And the tool "t0" runs once
      And the tool "t1" runs once
      And the tool "t2" runs once
      And model call 5 contains the message "one"
      And the final answer of run 3 is "Fertig"
