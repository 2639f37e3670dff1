Feature: The tool calls of one answer
  A model may call several tools in one answer. All of them are called before
  the model is asked again; how they share the time is our choice. A tool is
  given its arguments as the model wrote them, and judges them itself.

  @LOOP-06 @derived
  Rule: All tool calls of an answer are made before the next model call

    Scenario: Three tools
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
        | t3   | three   |
      And a model that answers
        | calls      |
        | t1, t2, t3 |
        |            |
      When the agent runs
      Then the model is called 2 times
      And model call 2 holds a message that says "one"
      And model call 2 holds a message that says "two"
      And model call 2 holds a message that says "three"

    Scenario: One tool twice
      Given the tools
        | name | returns |
        | t1   | one/two |
      And a model that answers
        | calls                    |
        | t1({"n":1}), t1({"n":2}) |
        |                          |
      When the agent runs
      Then the model is called 2 times
      And the tool "t1" runs 2 times
      And model call 2 holds a message that says "one"
      And model call 2 holds a message that says "two"

  @LOOP-07 @clarified
  Rule: The calls of one answer go on at the same time; their events come as they end, their results stand in order

    Scenario Outline: The first of two tools is the slower one, in a <mode> run
      Given a <mode> run
      And the tools
        | name | returns | held until                          |
        | t1   | one     | the result of "call 2" has appeared |
        | t2   | two     |                                     |
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      When the agent runs
      Then the events are
        | content |
        |         |
        | two     |
        | one     |
        | done    |
      And model call 2 receives
        | role      | content |
        | user      | Hello.  |
        | assistant |         |
        | tool      | one     |
        | tool      | two     |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @LOOP-08 @clarified
  Rule: If the agent is told so, calls are made one after the other, in their order

    Scenario: The first of two tools has to wait for something
      Given the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And tool calls are made one after the other
      And a handler "H" that, around tool "t1", sends the event "soon"; waits until event 2 has appeared; calls further in
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      When the agent runs
      Then the events are
        | content |
        |         |
        | soon    |
        | one     |
        | two     |
        | done    |

  @LOOP-15 @derived
  Rule: A tool receives the arguments that the model wrote

    Scenario: A text, numbers, a list, an object and an empty value
      Given a tool "t1" that returns "one"
      And a model that answers
        | calls                                                                       | text |
        | t1({"city": "Ulm", "days": [1, 2.5], "units": {"wind": "kn", "sun": null}}) |      |
        |                                                                             | done |
      When the agent runs
      Then call 1 of the tool "t1" gets the arguments "{"city": "Ulm", "days": [1, 2.5], "units": {"wind": "kn", "sun": null}}"
      And the final answer is "done"

  @LOOP-28 @clarified
  Rule: The text of the arguments reaches the tool unchanged

    Scenario: Spaces, doubles and numbers that could be written otherwise
      Given the tools
        | name | echoes |
        | t1   | yes    |
      And a model that answers
        | calls                                        |
        | t1({ "b":1.50,  "a":[1e2 ],"b":"\u0041 b" }) |
        |                                              |
      When the agent runs
      Then model call 2 receives
        | role      | content                                  |
        | user      | Hello.                                   |
        | assistant |                                          |
        | tool      | { "b":1.50,  "a":[1e2 ],"b":"\u0041 b" } |

  @LOOP-21 @clarified
  Rule: Arguments that are no JSON are for the tool to refuse

    Scenario: A tool that does not mind
      Given the tools
        | name | echoes |
        | t1   | yes    |
      And a model that answers
        | calls    | text |
        | t1({bad) |      |
        |          | done |
      When the agent runs
      Then call 1 of the tool "t1" gets the arguments "{bad"
      And the final answer is "done"

    Scenario: A tool that refuses them
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
