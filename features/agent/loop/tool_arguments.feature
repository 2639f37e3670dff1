Feature: Arguments and results of tool calls
  A model writes the arguments of a tool call as a text, which is mostly JSON. The tool receives the arguments as the model
  wrote them and checks them itself. The model then receives the result.

  @LOOP-15 @derived
  Rule: A tool receives arguments that are equal, as JSON, to those that the model wrote

    Scenario: A text, numbers, a list, an object and a null
      Given a tool "t1" that returns "one"
      And a model that answers
        | calls                                                                          | text |
        | t1({"at": null, "by": "", "in": {"a": null}, "no": false, "to": [0, 2.5, []]}) |      |
        |                                                                                | done |
      When the agent runs
      Then call 1 of the tool "t1" receives the arguments "{"at": null, "by": "", "in": {"a": null}, "no": false, "to": [0, 2.5, []]}"
      And the final answer is "done"

    Scenario Outline: A later call of a tool that is <kind>, which is repeated after an interrupt
      Given the tools
        | name | kind      | parts | interrupts |
        | t1   | invokable |       |            |
        | t2   | <kind>    | two   | yes        |
      And a model that answers
        | calls                                        | text |
        | t1({"n": 1})                                 |      |
        | t1({"n": 2}), t2({"n": [3, ""], "at": null}) |      |
        |                                              | done |
      When the agent runs and is resumed
      Then call 2 of the tool "t1" receives the arguments "{"n": 2}"
      And call 2 of the tool "t2" receives the arguments "{"n": [3, ""], "at": null}"

      Examples:
        | kind                |
        | invokable           |
        | streamable          |
        | enhanced invokable  |
        | enhanced streamable |

    Scenario: Nulls in two rounds and in a sub-agent, next to another run
      Given a streaming run
      And a sub-agent "helper"
      And a tool "t2" that returns "two"
      And a model that answers
        | calls                   | text    |
        | t2({"at": [null]}) as c | \ü*2001 |
        |                         | helped  |
      And an outer agent
      And a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name | returns | kind       | interrupts |
        | t0   |         | streamable | yes        |
        | t1   | one     |            |            |
      And a model that answers
        | calls                                                                  | text    |
        | t0 as b                                                                |         |
        | t1({"at": null, "in": "Köln"}) as a                                    | \ü*2001 |
        | helper({"request": "Kiel?"}) as d, t1({"at": null, "in": "Bonn"}) as e | \ü*2001 |
        |                                                                        | done    |
      And a handler "H0" that, before model, reads the session value "mood"
      And a handler "H1" that observes after agent
      And call 1 of "model model" in run 3 waits until run 2 has ended
      When the agent runs, and is resumed while it runs once more
      Then the final answer of run 2 is "done"
      And call 1 of the tool "t1" receives the arguments "{"at": null, "in": "Köln"}"
      And call 1 of the tool "t2" receives the arguments "{"at": [null]}"
      And call 2 of the tool "t1" receives the arguments "{"at": null, "in": "Bonn"}"

  @LOOP-28 @clarified
  Rule: A tool receives the text of its arguments exactly as the model wrote it

    Scenario: Extra spaces, a repeated name and numbers in unusual notation
      Given the tools
        | name | echoes |
        | t1   | yes    |
      And a model that answers
        | calls                                        | text |
        | t1({ "b":1.50,  "a":[1e2 ],"b":"\u0041 b" }) |      |
        |                                              | done |
      When the agent runs
      Then model call 2 receives
        | role      | content                                  |
        | user      | Hello.                                   |
        | assistant |                                          |
        | tool      | { "b":1.50,  "a":[1e2 ],"b":"\u0041 b" } |

    Scenario: Two calls of one tool with different ids and arguments
      Given the tools
        | name | echoes |
        | t1   | yes    |
      And a model that answers
        | calls                                  | text |
        | t1({"n":2e0}) as b, t1({"n":1e0}) as a |      |
        |                                        | done |
      When the agent runs
      Then in any order, model call 2 receives the results
        | call id | content   |
        | a       | {"n":1e0} |
        | b       | {"n":2e0} |

  @LOOP-21 @clarified
  Rule: The tool decides whether to accept arguments that are not valid JSON

    Scenario: A tool that accepts invalid JSON
      Given the tools
        | name | echoes |
        | t1   | yes    |
      And a model that answers
        | calls    | text |
        | t1({bad) |      |
        |          | done |
      When the agent runs
      Then call 1 of the tool "t1" receives the arguments "{bad"
      And the final answer is "done"

    @axis:tool-failure
    Scenario: A tool that parses its arguments
      Given the tools
        | name | parses |
        | t1   | yes    |
      And a model that answers
        | calls    | text |
        | t1({bad) |      |
        |          | done |
      When the agent runs
      Then the tool "t1" runs once
      And the run fails with the error "bad arguments"
      And the stream ends with one error

    Scenario Outline: A tool that is <kind> and accepts empty arguments
      Given the tools
        | name | kind   | parts |
        | t1   | <kind> | one   |
      And a model that answers
        | calls | text |
        | t1()  |      |
        |       | done |
      When the agent runs
      Then call 1 of the tool "t1" receives the arguments ""
      And the final answer is "done"

      Examples:
        | kind                |
        | invokable           |
        | streamable          |
        | enhanced invokable  |
        | enhanced streamable |

    @axis:tool-failure
    Scenario: A tool that parses empty arguments
      Given the tools
        | name | parses |
        | t1   | yes    |
      And a model that answers
        | calls | text |
        | t1()  |      |
        |       | done |
      When the agent runs
      Then the tool "t1" runs once
      And the run fails with the error "bad arguments"

  @LOOP-03 @documented
  Rule: After tool calls, the agent calls the model again with the result of each call

    Scenario: One tool call
      Given a tool "search" that returns "found"
      And a model that answers
        | calls            | text |
        | search as call s |      |
        |                  | done |
      When the agent runs
      Then the model is called 2 times
      And model call 2 receives
        | role      | content | calls  | call id |
        | user      | Hello.  |        |         |
        | assistant |         | search |         |
        | tool      | found   |        | call s  |

    Scenario: Two tool calls with different ids
      Given a tool "search" that returns "found"
      And a tool "read" that returns "a text"
      And a model that answers
        | calls                            | text |
        | search as call s, read as call r |      |
        |                                  | done |
      When the agent runs
      Then in any order, model call 2 receives the results
        | call id | content |
        | call s  | found   |
        | call r  | a text  |

    Scenario: An empty result
      Given a tool "clear" that returns ""
      And a model that answers
        | calls           | text |
        | clear as call c |      |
        |                 | done |
      When the agent runs
      Then model call 2 receives
        | role      | content | calls | call id |
        | user      | Hello.  |       |         |
        | assistant |         | clear |         |
        | tool      |         |       | call c  |

    Scenario Outline: An empty result of a tool that is <kind>, in a <mode> run
      Given a <mode> run
      And the tools
        | name  | kind   | returns | parts |
        | clear | <kind> |         |       |
      And a model that answers
        | calls           | text |
        | clear as call c |      |
        |                 | done |
      When the agent runs
      Then model call 2 receives
        | role      | content | calls | call id |
        | user      | Hello.  |       |         |
        | assistant |         | clear |         |
        | tool      |         |       | call c  |

      Examples:
        | mode        | kind                |
        | synchronous | enhanced invokable  |
        | streaming   | streamable          |
        | streaming   | enhanced streamable |
