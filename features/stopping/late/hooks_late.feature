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
      And a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
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
      And in run 3, the caller resumes the handler "H1" with ""
      When the agent runs, is resumed, and is resumed again from the first stop
      Then run 1 is interrupted by "H1"
      And after model of run 2, "H1" receives the resume data "ja"
      And after model of run 3, "H1" receives the resume data ""
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
      And a handler "H2" that observes before model
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
      And "H2" is called 3 times before model
      And the tool "t0" runs once
      And the tool "t1" runs once
      And the tool "t2" runs once
      And model call 5 contains the message "one"
      And the final answer of run 3 is "Fertig"

    Scenario Outline: The second of two equal <mode> runs, <place> of run 2
      Given a <mode> run
      And a conversation of agentic messages
        | role      | content |
        | user      | \ü*2001 |
        | assistant | Fertig  |
        | user      | \ü*2001 |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       | actions                        |
        | t0   | früh    | streamable | reads the session value "mood" |
        | t1   |         | streamable | reads the session value "mood" |
      And a model that answers
        | text   | calls                                                | fails with |
        |        | t0({"city": "Köln"}) as a                            |            |
        |        |                                                      | busy       |
        |        | t0({"city": "Bonn"}) as b, t1({"city": "Köln"}) as c |            |
        | Fertig |                                                      |            |
      And a handler "H0" that observes before model and after model
      And a handler "H1" that, <place> of run 2, reads the session value "mood"; interrupts the run
      And a handler "H2" that observes before model and after model
      And in run 3, the caller resumes the handler "H1" with "ja"
      When the agent runs twice and is resumed
      Then run 2 is interrupted by "H1"
      And <hook> of run 3, "H1" receives the resume data "ja"
      And "H0" is called 6 times before model
      And "H2" is called 6 times before model
      And "H0" is called 6 times after model
      And "H2" is called 6 times after model
      And the model is called 8 times
      And the tool "t0" runs 4 times
      And the tool "t1" runs 2 times
      And run 3 succeeds

      Examples:
        | place               | hook         | mode        |
        | before model call 1 | before model | streaming   |
        | before model call 2 | before model | streaming   |
        | before model call 3 | before model | synchronous |
        | around model call 1 | around model | streaming   |
        | after model call 2  | after model  | streaming   |
        | after model call 3  | after model  | streaming   |
        | around tool "t1"    | around tool  | synchronous |

    @axis:interrupted-wrapper
    Scenario Outline: A wrapper that, <place>, calls the next handler and interrupts the second of two equal runs
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | actions                        |
        | t0   | früh    |            |                                |
        | t1   |         | streamable | reads the session value "mood" |
      And a model that answers
        | text   | calls                                                |
        |        | t0({"city": "Köln"}) as a                            |
        |        | t0({"city": "Bonn"}) as b, t1({"city": "Köln"}) as c |
        | Fertig |                                                      |
      And a handler "H0" that, <place> of run 2, observes
      And a handler "H1" that, <place> of run 2, calls the next handler; interrupts the run
      And in run 3, the caller resumes the handler "H1" with "ja"
      When the agent runs twice and is resumed
      Then run 2 is interrupted by "H1"
      And <hook> of run 3, "H1" receives the resume data "ja"
      And <hook> of run 3, "H0" receives no resume data
      And the model is called 6 times
      And the tool "t0" runs 4 times
      And the tool "t1" runs 2 times
      And the final answer of run 3 is "Fertig"

      Examples:
        | place               | hook         |
        | around model call 2 | around model |
        | around tool "t1"    | around tool  |

    Scenario Outline: A hook <place> interrupts a run that is resumed next to another one
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       |
        | t0   |         |            |
        | t1   |         | streamable |
      And a model that answers
        | text   | calls                                                |
        |        | t0({"city": "Köln"}) as a                            |
        |        | t0({"city": "Bonn"}) as b, t1({"city": "Köln"}) as c |
        | Fertig |                                                      |
      And in run 3, the model answers
        | text |
        | Gut  |
      And a handler "H0" that observes before model and around tool
      And a handler "H1" that, <place> of run 1, interrupts the run
      And in run 2, the caller resumes the handler "H1" with "ja"
      When the agent runs, and is resumed while it runs once more
      Then run 1 is interrupted by "H1"
      And <hook> of run 2, "H1" receives the resume data "ja"
      And around tool call 1 of run 2, "H0" receives no resume data
      And "H0" is called 4 times before model
      And the model is called 4 times
      And the tool "t0" runs 2 times
      And the tool "t1" runs once
      And run 2 succeeds

      Examples:
        | place               | hook         |
        | before model call 2 | before model |
        | around model call 2 | around model |
        | after model call 2  | after model  |
        | around tool "t1"    | around tool  |

    Scenario: After the answer of the second round, and before the third round
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And tool calls run sequentially
      And the tools
        | name | returns |
        | t0   |         |
        | t1   | one     |
      And a model that answers
        | text   | calls                                                |
        | Los    | t0({"city": "Köln"}) as a                            |
        | Später | t0({"city": "Bonn"}) as b, t1({"city": "Köln"}) as c |
        | Fertig |                                                      |
      And a handler "H0" that observes before model
      And a handler "H1" that, after model call 2 of run 1, interrupts the run
      And a handler "H2" that, before model of run 2, interrupts the run
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 1 is interrupted by "H1"
      And run 2 is interrupted by "H2"
      And the model is called 3 times
      And "H0" is called 3 times before model
      And the tool "t0" runs 2 times
      And the tool "t1" runs once
      And the final answer of run 3 is "Fertig"
