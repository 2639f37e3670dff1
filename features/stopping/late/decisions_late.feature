Feature: Decisions about calls of a later round
  A person decides about one call of many, and not always at once. Here the call waits in the second round, its text and id
  occur before, and the run is resumed twice from one stop or next to another run. The rules of approvals and decisions hold
  here too.

  @STOP-49 @clarified
  Rule: A decision about a call of a later round holds for this call in this resumption

    Scenario: Resumed twice from one stop, with different decisions
      Given a streaming run
      And a conversation of plain messages
        | role | content |
        | user | \ü*2001 |
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       | needs approval |
        | t0   | früh    | streamable |                |
        | t1   | one     |            | yes            |
        | t2   |         |            | yes            |
      And a model that answers
        | text    | calls                                                | fails with |
        | Los     | t0({"city": "Köln"}) as e                            |            |
        |         |                                                      | busy       |
        | \ü*2001 | t1({"city": "Köln"}) as a, t2({"city": "Bonn"}) as b |            |
        | Fertig  |                                                      |            |
      And a handler "H0" that observes
      And a handler "H1" that observes
      And in run 2, the caller approves the call "a"
      And in run 2, the caller denies the call "b" because "nicht für heute"
      And in run 3, the caller denies the call "a" because "nie"
      And in run 3, the caller approves the call "b"
      When the agent runs, is resumed, and is resumed again from the first stop
      Then run 1 is interrupted by t1, t2
      And the tool "t0" runs once
      And the tool "t1" runs once
      And call 1 of the tool "t1" receives the arguments "{"city": "Köln"}"
      And the tool "t2" runs once
      And call 1 of the tool "t2" receives the arguments "{"city": "Bonn"}"
      And every model call of run 2 contains the text "nicht für heute"
      And no model call of run 3 contains the text "nicht für heute"
      And every model call of run 3 contains the text "nie"
      And in model call 4, each tool call has one result
      And in model call 5, each tool call has one result
      And the final answer of run 2 is "Fertig"
      And the final answer of run 3 is "Fertig"

    Scenario: An id of the first round, in the second round of two
      Given a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
        | user | \ü*2001 |
      And the tools
        | name | returns | kind       | needs approval |
        | t0   | früh    | streamable |                |
        | t1   | früh    | streamable | yes            |
        | t2   |         |            |                |
      And a model that answers
        | text   | calls                              |
        | Los    | t0 as a                            |
        | Los    | t1 as a, t2 as b                   |
        | Weiter | t1({"city": "Köln"}) as a, t2 as b |
        | Fertig |                                    |
      And a handler "H0" that observes
      And a handler "H1" that observes
      And in run 2, the caller approves the call "a"
      And in run 3, the caller denies the call "a" because "nicht für heute"
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 1 is interrupted by t1
      And run 2 is interrupted by t1
      And the tool "t0" runs once
      And the tool "t1" runs once
      And the tool "t2" runs 2 times
      And in model call 3, each tool call has one result
      And in model call 4, each tool call has one result
      And every model call of run 3 contains the text "nicht für heute"
      And the final answer of run 3 is "Fertig"

    Scenario: Another run waits for the same call while this one is resumed
      Given the tools
        | name | returns | kind       | needs approval |
        | t0   | früh    | streamable |                |
        | t1   | one     |            | yes            |
        | t2   |         |            |                |
      And a model that answers
        | text   | calls                                                |
        | Los    | t0({"city": "Köln"}) as e                            |
        | Weiter | t1({"city": "Köln"}) as a, t2({"city": "Bonn"}) as b |
        | Fertig |                                                      |
      And a handler "H0" that observes
      And a handler "H1" that observes
      And in run 2, the caller approves the call "a"
      And call 1 of "model model" in run 3 waits until run 2 has ended
      When the agent runs, and is resumed while it runs once more
      Then run 1 is interrupted by t1
      And the final answer of run 2 is "Fertig"
      And run 3 is interrupted by t1
      And the tool "t1" runs once

    Scenario: A decision about a call of an earlier round
      Given a streaming run
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       | needs approval |
        | t0   | früh    | streamable |                |
        | t1   | one     |            | yes            |
        | t2   |         |            |                |
      And a model that answers
        | text    | calls                              | fails with |
        | Los     | t0({"city": "Köln"}) as e          |            |
        |         |                                    | busy       |
        | \ü*2001 | t2 as b, t1({"city": "Köln"}) as a |            |
        | Fertig  |                                    |            |
      And a handler "H0" that observes
      And a handler "H1" that observes
      And in run 2, the caller approves the call "e"
      When the agent runs and is resumed
      Then run 1 is interrupted by t1
      And the tool "t1" never runs

    Scenario Outline: Another run ends between an approval and a denial in a <mode> run
      Given a <mode> run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       | actions                        | needs approval |
        | t0   | früh    |            |                                |                |
        | t1   |         | <kind>     | reads the session value "mood" | yes            |
      And a model that answers
        | text   | calls                                                | fails with |
        |        | t0({"city": "Köln"}) as e                            |            |
        |        |                                                      | busy       |
        |        | t1({"city": "Köln"}) as a, t1({"city": "Bonn"}) as b |            |
        | Fertig |                                                      |            |
      And in run 3, the model answers
        | text | calls   |
        |      | t0 as a |
        | Gut  |         |
      And a handler "H0" that observes before agent
      And a handler "H1" that observes before agent
      And call 1 of "tool t1" in run 2 waits until run 3 has ended
      And in run 2, the caller approves the call "a"
      And in run 2, the caller denies the call "b" because "nicht für heute"
      When the agent runs, and is resumed while it runs once more
      Then the tool "t1" runs once
      And call 1 of the tool "t1" receives the arguments "{"city": "Köln"}"
      And every model call of run 2 contains the text "nicht für heute"
      And the final answer of run 2 is "Fertig"

      Examples:
        | mode        | kind       |
        | synchronous | invokable  |
        | streaming   | streamable |

    Scenario Outline: The second of two equal <mode> runs whose sub-agents wait is resumed
      Given a <mode> run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
      And a session in which "mood" is ""
      And a sub-agent "helper"
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | actions                        | needs approval |
        | t0   |         | streamable | reads the session value "mood" |                |
        | t1   |         | streamable | reads the session value "mood" | yes            |
      And a model that answers
        | calls                                                |
        | t0({"city": "Köln"}) as d, t0({"city": "Bonn"}) as e |
        | t1({"city": "Köln"}) as a, t1({"city": "Bonn"}) as b |
        | t1({"city": "Ulm"}) as c                             |
      And an outer agent
      And a model that answers
        | calls                         |
        | helper({"request": "Grüße."}) |
      And in run 3, the caller approves the call "<approved>"
      And in run 3, the caller denies the call "<denied>" because "nicht für heute"
      When the agent runs twice and is resumed
      Then run 2 is interrupted by t1, t1
      And run 3 is interrupted by t1
      And the tool "t0" runs 4 times
      And the tool "t1" runs once
      And call 1 of the tool "t1" receives the arguments "<arguments>"
      And every model call of run 3 contains the text "nicht für heute"

      Examples:
        | mode        | approved | denied | arguments          |
        | synchronous | a        | b      | {"city": "Köln"} |
        | streaming   | b        | a      | {"city": "Bonn"}   |

    Scenario Outline: The second of two equal <mode> runs is resumed with a decision about another call
      Given a <mode> run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
      And a session in which "mood" is ""
      And the tools
        | name | returns | kind       | actions                        | needs approval |
        | t0   | früh    | streamable | reads the session value "mood" |                |
        | t1   | one     |            |                                | yes            |
      And a model that answers
        | text  | calls                                                |
        |       | t0({"city": "Köln"}) as d, t0({"city": "Bonn"}) as e |
        | Schön | t1({"city": "Köln"}) as a                            |
      And in run 3, the caller approves the call "e"
      When the agent runs twice and is resumed
      Then run 2 is interrupted by t1
      And the tool "t0" runs 4 times
      And the tool "t1" never runs

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: A sub-agent of a <mode> run is resumed twice from one stop, with different decisions
      Given a <mode> run
      And a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And a sub-agent "helper"
      And the tools
        | name | returns | kind       | actions                        | needs approval |
        | t0   |         | streamable | reads the session value "mood" |                |
        | t1   | one     |            |                                | yes            |
      And a model that answers
        | text     | calls                                                |
        |          | t0({"city": "Köln"}) as d, t0({"city": "Bonn"}) as e |
        | \ü*2001  | t1({"city": "Köln"}) as a                            |
        | geholfen |                                                      |
      And an outer agent
      And a model that answers
        | text   | calls                         |
        |        | helper({"request": "Grüße."}) |
        | Fertig |                               |
      And in run 2, the caller approves the call "a"
      And in run 3, the caller denies the call "a" because "nie"
      When the agent runs, is resumed, and is resumed again from the first stop
      Then the tool "t0" runs 2 times
      And the tool "t1" runs once
      And the final answer of run 2 is "Fertig"
      And the final answer of run 3 is "Fertig"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: Another run ends between two approvals of calls of a sub-agent, of which the second one is <form>
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a sub-agent "helper"
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | needs approval |
        | t1   |         | streamable | yes            |
        | t2   | zwei    |            | yes            |
      And a model that answers
        | text     | calls                                                |
        |          | t1({"city": "Köln"}) as a, t2({"city": "Bonn"}) as b |
        | geholfen |                                                      |
      And an outer agent
      And a tool "t0" that returns "früh"
      And a model that answers
        | text   | calls                                 |
        |        | helper({"request": "Grüße."}) as c |
        | Fertig |                                       |
      And in run 3, the model answers
        | text | calls   |
        |      | t0 as a |
        | Gut  |         |
      And call 1 of "tool t1" in run 2 waits until run 3 has ended
      And the caller approves the call "a"
      And the caller <decides>
      When the agent runs, and is resumed while it runs once more
      Then the tool "t1" runs once
      And the tool "t2" runs once
      And call 1 of the tool "t2" receives the arguments "<arguments>"
      And call 2 of the model "helper's" receives
        | role      | content | calls            |
        | user      | Grüße.  |                  |
        | assistant |         | t1 as a, t2 as b |
        | tool      |         |                  |
        | tool      | zwei    |                  |
      And the final answer of run 2 is "Fertig"

      Examples:
        | form        | decides                                                            | arguments          |
        | as it is    | approves the call "b"                                              | {"city": "Bonn"}   |
        | with others | approves the call "b" with the arguments "{"city": "Zürich"}" | {"city": "Zürich"} |

    Scenario: Calls with long arguments are edited, approved and denied, in two rounds
      Given a session in which "mood" is ""
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
      And the tools
        | name | returns | actions                        | needs approval |
        | t0   | \ü*2001 | reads the session value "mood" |                |
        | t1   | warm    |                                | yes            |
      And a model that answers
        | text    | calls                                                            |
        | \ü*2001 | t0({"city": "Köln"}) as d                                        |
        | \ü*2001 | t1({"city": "\ü*2001"}) as a, t1({"city": "Bonn"}) as b, t0 as e |
        | \ü*2001 | t1({"city": "Ulm"}) as c                                         |
        | Fertig  |                                                                  |
      And the caller approves the call "a" with the arguments "{"city": "Köln"}"
      And in run 2, the caller denies the call "b" because "nicht für heute"
      And in run 3, the caller approves the call "c"
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 2 is interrupted by t1
      And the tool "t0" runs 2 times
      And the tool "t1" runs 2 times
      And call 1 of the tool "t1" receives the arguments "{"city": "Köln"}"
      And call 2 of the tool "t1" receives the arguments "{"city": "Ulm"}"
      And model call 3 contains the message "warm"
      And every model call of run 2 contains the text "nicht für heute"
      And the final answer of run 3 is "Fertig"
