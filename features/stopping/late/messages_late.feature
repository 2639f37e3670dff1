Feature: User messages late in a run
  A user writes when a run takes long. Here the messages arrive in the second round, after a failed model call, during
  several calls, at hooks, and before a stop. The rules of user messages during a run hold here too.

  @STOP-48 @clarified
  Rule: User messages that are sent in later rounds are in the next model request, once and in the order in which they were sent

    Scenario Outline: Two tools of the second round and a hook of a <mode> run send messages
      Given a <mode> run
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       | actions                                                                     |
        | t0   | früh    | streamable |                                                                             |
        | t1   |         |            | sends the run the user message "Grüße."; sends the run the user message "?" |
        | t2   | \ü*2001 |            | sends the run the user message "Und?"; sends the run the user message "?"   |
      And a model that answers
        | text   | calls                                                | fails with |
        | Los    | t0({"city": "Köln"}) as e                            |            |
        |        |                                                      | busy       |
        | Weiter | t1({"city": "Köln"}) as a, t2({"city": "Bonn"}) as b |            |
        | Fertig |                                                      |            |
        | Ja     |                                                      |            |
      And a handler "H0" that observes
      And a handler "H1" that, after model call 3, sends the run the user message "Schnell."
      When the agent runs
      Then model call 4 receives
        | role      | content | calls            |
        | user      | Hello.  |                  |
        | assistant | Los     | t0 as e          |
        | tool      | früh    |                  |
        | assistant | Weiter  | t1 as a, t2 as b |
        | tool      |         |                  |
        | tool      | \ü*2001 |                  |
        | user      | Grüße.  |                  |
        | user      | ?       |                  |
        | user      | Und?    |                  |
        | user      | ?       |                  |
      And model call 5 contains the message "Schnell."
      And the final answer is "Ja"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: Before an interrupt of the second round, and while the resumed run works
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And the tools
        | name | returns | kind       | interrupts | actions                                 |
        | t0   | früh    | streamable |            | sends the run the user message "Grüße." |
        | t1   |         |            |            | sends the run the user message "Und?"   |
        | t2   | two     |            | yes        |                                         |
      And a model that answers
        | text   | calls            |
        | Los    | t0 as a          |
        | Los    | t1 as a, t2 as b |
        | Weiter | t0 as a          |
        | Fertig |                  |
      And a handler "H0" that observes
      And a handler "H1" that observes
      When the agent runs and is resumed
      Then run 1 is interrupted by "t2"
      And the tool "t1" runs once
      And model call 3 receives
        | role      | content |
        | user      | Grüße.  |
        | assistant | Los     |
        | tool      | früh    |
        | user      | Grüße.  |
        | assistant | Los     |
        | tool      |         |
        | tool      | two     |
        | user      | Und?    |
      And model call 4 receives
        | role      | content |
        | user      | Grüße.  |
        | assistant | Los     |
        | tool      | früh    |
        | user      | Grüße.  |
        | assistant | Los     |
        | tool      |         |
        | tool      | two     |
        | user      | Und?    |
        | assistant | Weiter  |
        | tool      | früh    |
        | user      | Grüße.  |
      And the final answer of run 2 is "Fertig"

    Scenario: In the second round of a sub-agent, and of the outer agent
      Given a streaming run
      And a sub-agent "helper"
      And the tools
        | name | returns | actions                                 |
        | t0   | früh    |                                         |
        | t1   |         | sends the run the user message "Grüße." |
      And a model that answers
        | text     | calls            |
        | Hm       | t0 as a          |
        | Hm       | t0 as a, t1 as b |
        | geholfen |                  |
      And an outer agent
      And the tools
        | name | returns | actions                               |
        | t2   | two     |                                       |
        | t3   | three   | sends the run the user message "Und?" |
      And a model that answers
        | text   | calls                                       |
        | Erst   | t2 as a                                     |
        | Hilf   | helper({"request": "Hilfe."}) as b, t3 as a |
        | Fertig |                                             |
      When the agent runs
      Then call 3 of the model "helper's" receives
        | role      | content |
        | user      | Hilfe.  |
        | assistant | Hm      |
        | tool      | früh    |
        | assistant | Hm      |
        | tool      | früh    |
        | tool      |         |
        | user      | Grüße.  |
      And call 3 of the model "model" receives
        | role      | content  |
        | user      | Hello.   |
        | assistant | Erst     |
        | tool      | two      |
        | assistant | Hilf     |
        | tool      | geholfen |
        | tool      | three    |
        | user      | Und?     |
      And the final answer is "Fertig"

    Scenario: In two runs at the same time
      Given the tools
        | name | returns | kind       | actions                                 |
        | t0   | früh    | streamable |                                         |
        | t1   |         |            | sends the run the user message "Grüße." |
      And a model that answers
        | text   | calls                              |
        | Los    | t0({"city": "Köln"}) as a          |
        | Weiter | t0 as c, t1({"city": "Bonn"}) as b |
        | Fertig |                                    |
      And in run 2, the model answers
        | text   | calls   |
        | Noch   | t1 as a |
        | Gut    |         |
      And a handler "H0" that observes
      And a handler "H1" that observes
      And call 2 of "tool t0" in run 1 waits until run 2 has ended
      And in run 2, the user writes "Und?"
      When the agent runs 2 times concurrently
      Then the final answer of run 1 is "Fertig"
      And the final answer of run 2 is "Gut"
      And model call 5 receives
        | role      | content | calls            |
        | user      | Hello.  |                  |
        | assistant | Los     | t0 as a          |
        | tool      | früh    |                  |
        | assistant | Weiter  | t0 as c, t1 as b |
        | tool      | früh    |                  |
        | tool      |         |                  |
        | user      | Grüße.  |                  |

    Scenario Outline: The sub-agent of one of two equal <mode> runs sends messages before an interrupt
      Given a <mode> run
      And a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And a sub-agent "helper"
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | interrupts | actions                                                                           |
        | t0   | früh    |            |            | sends the run the user message "Grüße."                                           |
        | t1   |         | streamable |            | sends the run the user message "Und?"; sends the run the user message "Schnell." |
        | t2   | zwölf   | streamable | yes        | reads the session value "mood"                                                    |
      And a model that answers
        | text     | calls                                                |
        |          | t0({"city": "Köln"}) as a                            |
        |          | t1({"city": "Köln"}) as b, t2({"city": "Bonn"}) as c |
        | geholfen |                                                      |
      And an outer agent
      And a model that answers
        | text   | calls                         |
        |        | helper({"request": "Grüße."}) |
        | Fertig |                               |
      And a handler "H0" that observes before agent
      And a handler "H1" that observes before agent
      And call 2 of "model helper's" in run 2 waits until run 1 has ended
      When the agent runs twice concurrently, and run 2 is resumed
      Then run 2 is interrupted by "t2"
      And call 5 of the model "helper's" receives
        | role      | content  | calls            |
        | user      | Grüße.   |                  |
        | assistant |          | t0 as a          |
        | tool      | früh     |                  |
        | user      | Grüße.   |                  |
        | assistant |          | t1 as b, t2 as c |
        | tool      |          |                  |
        | tool      | zwölf    |                  |
        | user      | Und?     |                  |
        | user      | Schnell. |                  |
      And the final answer of run 3 is "Fertig"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: After a first interrupt, and before a second one
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
      And the tools
        | name | returns | interrupts | actions                                                                        |
        | t0   | früh    | yes        |                                                                                |
        | t1   | one     |            | sends the run the user message "Grüße."; sends the run the user message "Und?" |
        | t2   | \ü*2001 | yes        |                                                                                |
      And tool calls run sequentially
      And a model that answers
        | text   | calls                     |
        |        | t0({"city": "Köln"}) as a |
        |        | t1 as b, t2 as c          |
        | Fertig |                           |
      And a handler "H0" that observes before model
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 2 is interrupted by "t2"
      And model call 3 receives
        | role      | content | calls            |
        | user      | \ü*2001 |                  |
        | assistant |         | t0 as a          |
        | tool      | früh    |                  |
        | assistant |         | t1 as b, t2 as c |
        | tool      | one     |                  |
        | tool      | \ü*2001 |                  |
        | user      | Grüße.  |                  |
        | user      | Und?    |                  |
      And the final answer of run 3 is "Fertig"

    Scenario: Hooks of the second of two equal runs send messages after it was resumed
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And the tools
        | name | returns | kind       | interrupts | actions                                 |
        | t0   | früh    | streamable |            | sends the run the user message "Und?" |
        | t1   |         | streamable | yes        | reads the session value "mood"          |
      And a model that answers
        | text   | calls                                                |
        |        | t0({"city": "Köln"}) as a                            |
        |        | t0({"city": "Bonn"}) as b, t1({"city": "Köln"}) as c |
        |        | t0({"city": "Ulm"}) as d                             |
        | Fertig |                                                      |
        | Ja     |                                                      |
      And tool calls run sequentially
      And a handler "H0" that observes before model
      And a handler "H1" that, after model call 1 of run 3, sends the run the user message "Schnell."
      And a handler "H2" that, after model call 2 of run 3, sends the run the user message "Noch etwas."
      When the agent runs twice and is resumed
      Then run 2 is interrupted by "t1"
      And model call 6 contains the message "Schnell."
      And model call 7 contains the message "Noch etwas."
      And the final answer of run 3 is "Ja"

    Scenario: In the second round of the sub-agents of two equal runs at the same time
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And a sub-agent "helper"
      And the tools
        | name | returns | kind       | actions                                                                                                           |
        | t0   | früh    |            |                                                                                                                   |
        | t1   |         | streamable | sends the run the user message "Und?"; sends the run the user message "Ü"; reads the session value "mood" |
      And a model that answers
        | text     | calls                     |
        |          | t0({"city": "Köln"}) as a |
        | Weiter   | t1 as b                   |
        | geholfen |                           |
      And an outer agent
      And a model that answers
        | text   | calls                         |
        |        | helper({"request": "Grüße."}) |
        | Fertig |                               |
      And call 2 of "model helper's" in run 2 waits until run 1 has ended
      When the agent runs 2 times concurrently
      Then call 6 of the model "helper's" receives
        | role      | content | calls   |
        | user      | Grüße.  |         |
        | assistant |         | t0 as a |
        | tool      | früh    |         |
        | assistant | Weiter  | t1 as b |
        | tool      |         |         |
        | user      | Und?    |         |
        | user      | Ü       |         |
      And the final answer of run 2 is "Fertig"

    Scenario: A tool with a long result sends two messages in the second round of a run and after it was resumed
      Given a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And the tools
        | name | returns | interrupts | actions                                                                        |
        | t0   | früh    | yes        |                                                                                |
        | t1   | \ü*2001 |            | sends the run the user message "Grüße."; sends the run the user message "Und?" |
        | t2   | two     |            |                                                                                |
      And a model that answers
        | text   | calls   |
        |        | t2 as a |
        |        | t1 as b |
        |        | t0 as c |
        |        | t1 as d |
        | Fertig |         |
      When the agent runs and is resumed
      Then run 1 is interrupted by "t0"
      And model call 5 receives
        | role      | content | calls   |
        | user      | Grüße.  |         |
        | assistant |         | t2 as a |
        | tool      | two     |         |
        | assistant |         | t1 as b |
        | tool      | \ü*2001 |         |
        | user      | Grüße.  |         |
        | user      | Und?    |         |
        | assistant |         | t0 as c |
        | tool      | früh    |         |
        | assistant |         | t1 as d |
        | tool      | \ü*2001 |         |
        | user      | Grüße.  |         |
        | user      | Und?    |         |
      And the final answer of run 2 is "Fertig"
