Feature: Conversations whose runs stopped late
  A conversation is long when it matters most. Here a run has made tool calls and has repeated a failed model call before it
  stops in its second round, and a later run stops as well. The rules of the conversation that a stopped run leaves hold
  here too.

  @STOP-46 @clarified
  Rule: A conversation continues after runs that stopped in a later round

    Scenario Outline: Two <mode> runs are cancelled during their last tool call
      Given a <mode> run
      And the runs share a conversation
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       | held until        |
        | t0   | früh    | streamable |                   |
        | t1   | warm    |            |                   |
        | t2   | two     |            | the run has ended |
      And a model that answers
        | text   | calls                                                | fails with |
        | Los    | t0({"city": "Köln"}) as e                            |            |
        |        |                                                      | busy       |
        | Weiter | t1({"city": "Köln"}) as a, t2({"city": "Bonn"}) as b |            |
      And in run 2, the model answers
        | text   | calls                                                |
        | Weiter | t1({"city": "Köln"}) as a, t2({"city": "Bonn"}) as b |
      And in run 3, the model answers
        | text   |
        | Fertig |
      And a handler "H0" that observes
      And a handler "H1" that observes
      And call 1 of "tool t2" in run 2 waits until the run has ended
      And a cancel request, which takes effect immediately, is made when the tool "t2" is called
      And in run 2, a cancel request, which takes effect immediately, is made when the tool "t2" is called
      And in run 2, the user writes "Grüße."
      And in run 3, the user writes "Grüße."
      When the agent runs three times
      Then the tool "t0" runs once
      And the tool "t1" runs 2 times
      And the tool "t2" runs 2 times
      And model call 5 contains the message "früh"
      And model call 4 contains the message "warm"
      And model call 5 contains the message "Hello."
      And model call 5 contains the message "Grüße."
      And in model call 4, each tool call has one result
      And in model call 5, each tool call has one result
      And model call 4 begins with the messages of model call 3
      And model call 5 begins with the messages of model call 4
      And the final answer of run 3 is "Fertig"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A run with parallel calls is cancelled, and the next one fails
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
        | user | Grüße.  |
      And the runs share a conversation
      And the tools
        | name | returns | kind       | held until        |
        | t0   | früh    | streamable |                   |
        | t1   |         |            |                   |
        | t2   | two     | streamable | the run has ended |
      And a model that answers
        | text | calls                     |
        | Los  | t0({"city": "Köln"}) as a |
        | Los  | t1 as a, t2 as b          |
      And in run 2, the model answers
        | text   | calls | fails with |
        | Weiter | t0    |            |
        |        |       | busy       |
      And in run 3, the model answers
        | text   |
        | Fertig |
      And a handler "H0" that observes
      And a handler "H1" that observes
      And a cancel request, which takes effect immediately, is made when the tool "t2" is called
      When the agent runs three times
      Then the tool "t0" runs 2 times
      And the tool "t1" runs once
      And the tool "t2" runs once
      And run 2 fails
      And in model call 3, each tool call has one result
      And in model call 5, each tool call has one result
      And model call 3 begins with the messages of model call 2
      And model call 5 begins with the messages of model call 4
      And the final answer of run 3 is "Fertig"

    Scenario: A call of the second round waits for approval, and the user writes instead, twice
      Given a streaming run
      And the runs share a conversation
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | needs approval |
        | t0   | früh    | streamable |                |
        | t1   | one     |            | yes            |
        | t2   |         |            |                |
      And a model that answers
        | text   | calls                                                | fails with |
        | Los    | t0({"city": "Köln"}) as e                            |            |
        |        |                                                      | busy       |
        | Weiter | t2({"city": "Köln"}) as b, t1({"city": "Bonn"}) as a |            |
      And failed model calls are retried at most once
      And in run 2, the model answers
        | text | calls                                                |
        | Noch | t2({"city": "Köln"}) as d, t1({"city": "Bonn"}) as c |
      And in run 3, the model answers
        | text   |
        | Fertig |
      And a handler "H0" that observes
      And a handler "H1" that observes
      And in run 2, the user writes "Grüße."
      And in run 3, the user writes "Grüße."
      When the agent runs three times
      Then run 1 is interrupted by t1
      And run 2 is interrupted by t1
      And the tool "t1" never runs
      And the tool "t2" runs 2 times
      And in model call 4, each tool call has one result
      And in model call 5, each tool call has one result
      And model call 5 contains the message "Grüße."
      And the final answer of run 3 is "Fertig"

    Scenario: A call of the second round sends two messages, and another one interrupts the run
      Given the runs share a conversation
      And tool calls run sequentially
      And the tools
        | name | returns | interrupts | actions                                                                        |
        | t0   | früh    |            |                                                                                |
        | t1   | warm    |            | sends the run the user message "Hurry."; sends the run the user message "And?" |
        | t2   |         | yes        |                                                                                |
      And a model that answers
        | text | calls                                       |
        | Los  | t0({"city": "Köln"}) as e                   |
        | Los  | t1 as a, t2 as b, t0({"city": "Bonn"}) as c |
      And in run 2, the model answers
        | text   |
        | Fertig |
      And in run 2, the user writes "Grüße."
      When the agent runs twice
      Then run 1 is interrupted by t2
      And in model call 3, each tool call has one result
      And call 3 of the model "model" contains, in this order
        """
        früh
        warm
        Hurry.
        And?
        Grüße.
        """
      And the final answer of run 2 is "Fertig"

    Scenario: A sub-agent's call is cut off in the second round of both agents
      Given a streaming run
      And the runs share a conversation
      And a sub-agent "helper"
      And the tools
        | name | returns | held until        |
        | t0   | früh    |                   |
        | t1   | one     | the run has ended |
      And a model that answers
        | text | calls   |
        | Hm   | t0 as a |
        | Hm   | t1 as b |
      And an outer agent
      And tool calls run sequentially
      And the tools
        | name | returns |
        | t2   |         |
      And a model that answers
        | text | calls                                       |
        | Los  | t2 as a                                     |
        | Los  | t2 as b, helper({"request": "Grüße."}) as c |
      And in run 2, the model answers
        | text | calls   |
        | Noch | t2 as d |
        | Gut  |         |
      And in run 3, the model answers
        | text   |
        | Fertig |
      And a cancel request, which takes effect immediately, is made when the tool "t1" is called
      And in run 2, the user writes "Grüße."
      And in run 3, the user writes "Danke."
      When the agent runs three times
      Then the tool "t0" runs once
      And the tool "t1" runs once
      And the tool "t2" runs 3 times
      And in model call 5, each tool call has one result
      And in model call 7, each tool call has one result
      And model call 7 contains the message "Gut"
      And the final answer of run 2 is "Gut"
      And the final answer of run 3 is "Fertig"

    Scenario: Two conversations at the same time, of which one continues
      Given run 1 belongs to the conversation "first"
      And run 2 belongs to the conversation "second"
      And run 3 belongs to the conversation "first"
      And the tools
        | name | returns | kind       |
        | t0   | früh    | streamable |
        | t1   |         |            |
      And a model that answers
        | text   | calls                              |
        | Los    | t0({"city": "Köln"}) as a          |
        | Weiter | t0 as c, t1({"city": "Bonn"}) as b |
        | Fertig |                                    |
      And in run 3, the model answers
        | text  |
        | Bitte |
      And a handler "H0" that observes
      And a handler "H1" that observes
      And call 2 of "model model" in run 1 waits until run 2 has ended
      And in run 2, the user writes "Grüße."
      And in run 3, the user writes "Danke."
      When the agent runs 2 times concurrently, and then once
      Then run 1 succeeds
      And run 2 succeeds
      And model call 7 receives
        | role      | content | calls            |
        | user      | Hello.  |                  |
        | assistant | Los     | t0 as a          |
        | tool      | früh    |                  |
        | assistant | Weiter  | t0 as c, t1 as b |
        | tool      | früh    |                  |
        | tool      |         |                  |
        | assistant | Fertig  |                  |
        | user      | Danke.  |                  |
      And the final answer of run 3 is "Bitte"

    Scenario: A run is cut off while another conversation continues
      Given a streaming run
      And a session in which "mood" is ""
      And a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And run 1 belongs to the conversation "first"
      And run 2 belongs to the conversation "second"
      And run 3 belongs to the conversation "first"
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       | actions                        | held until        |
        | t0   | früh    | streamable | reads the session value "mood" |                   |
        | t1   | warm    |            |                                |                   |
        | t2   |         |            |                                | the run has ended |
      And a model that answers
        | text | calls                                                | fails with |
        |      | t0({"city": "Bonn"}) as a, t0({"city": "Köln"}) as b |            |
        |      |                                                      | busy       |
        |      | t1({"city": "Köln"}) as c, t2({"city": "Bonn"}) as d |            |
      And in run 2, the model answers
        | text |
        | Gut  |
      And in run 3, the model answers
        | text   |
        | Fertig |
      And a handler "H0" that observes after agent
      And a handler "H1" that observes after agent
      And call 2 of "model model" in run 1 waits until run 2 has ended
      And a cancel request, which takes effect immediately, is made when the tool "t2" is called
      And in run 2, the user writes "Schönen Tag."
      And in run 3, the user writes "Danke."
      When the agent runs 2 times concurrently, and then once
      Then the tool "t1" runs once
      And the tool "t2" runs once
      And in model call 5, each tool call has one result
      And model call 5 contains the message "Grüße."
      And model call 5 contains the message "früh"
      And model call 5 contains the message "warm"
      And every model call of run 3 contains the text "Danke."
      And no model call of run 2 contains the text "Grüße."
      And no model call of run 3 contains the text "Gut"
      And the final answer of run 2 is "Gut"
      And the final answer of run 3 is "Fertig"

    Scenario: A resumed run is cut off in its second round
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And the runs share a conversation
      And tool calls run sequentially
      And the tools
        | name | returns | interrupts |
        | t0   | früh    | yes        |
        | t1   | warm    |            |
        | t2   |         |            |
      And a model that answers
        | text | calls                                                |
        |      | t0({"city": "Köln"}) as a                            |
        |      | t1({"city": "Köln"}) as b, t2({"city": "Bonn"}) as c |
      And in run 3, the model answers
        | text   |
        | Fertig |
      And in run 3, the user writes "Danke."
      And call 1 of "tool t2" in run 2 waits until the run has ended
      And in run 2, a cancel request, which takes effect immediately, is made when the tool "t2" is called
      When the agent runs, is resumed, and runs once more
      Then in model call 3, each tool call has one result
      And model call 3 contains the message "Grüße."
      And model call 3 contains the message "früh"
      And model call 3 contains the message "warm"
      And the final answer of run 3 is "Fertig"

    Scenario: Equal runs of two conversations are cut off in their second round
      Given a streaming run
      And a session in which "mood" is ""
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
        | user | \ü*2001 |
      And run 1 belongs to the conversation "first"
      And run 2 belongs to the conversation "second"
      And run 3 belongs to the conversation "second"
      And tool calls run sequentially
      And the tools
        | name | returns | actions                        | held until        |
        | t0   | früh    |                                |                   |
        | t1   | warm    | reads the session value "mood" |                   |
        | t2   | \ü*2001 | reads the session value "mood" | the run has ended |
      And a model that answers
        | text    | calls                                                |
        |         | t0({"city": "Köln"}) as a                            |
        | \ü*2001 | t1({"city": "Köln"}) as b, t2({"city": "Bonn"}) as c |
      And in run 3, the model answers
        | text   |
        | Fertig |
      And call 1 of "tool t2" in run 2 waits until the run has ended
      And a cancel request, which takes effect immediately, is made when the tool "t2" is called
      And in run 2, a cancel request, which takes effect immediately, is made when the tool "t2" is called
      When the agent runs three times
      Then the tool "t1" runs 2 times
      And the tool "t2" runs 2 times
      And model call 3 receives
        | role | content |
        | user | \ü*2001 |
        | user | \ü*2001 |
      And in model call 5, each tool call has one result
      And model call 5 contains the message "früh"
      And model call 5 contains the message "warm"
      And the final answer of run 3 is "Fertig"
