Feature: Handlers that leave a run unchanged
  A handler has a purpose, and may change what its purpose is about: a handler
  that replaces failed results changes tool errors. A handler declares its
  changes, and is judged by everything else. The changes that a handler can
  declare are requests, answers, tool calls, results, model errors and tool
  errors. An example in which the handler "declares no change of answers" is not
  for a handler that declares this change. The handler under test runs in the loop
  of the reference, or of the framework that the handler is written for.

  Background:
    Given the conversation
      | role | content |
      | user | Hello   |

  @HANDLER-07 @clarified
  Rule: A handler that declares no change of requests, answers, tool calls or results leaves the messages and tools of each model call unchanged

    Scenario Outline: A tool call between two model calls of a <mode> run
      Given a <mode> run
      And a model that answers
        | text | calls  |
        | Look | t1     |
        | Wait | t1, t1 |
        | Seen |        |
      And a tool "t1" that returns "found"
      And the handler under test, which declares no change of requests or answers or tool calls or results
      When the agent runs
      Then model call 1 receives
        | role | content |
        | user | Hello   |
      And model call 1 receives only the tool "t1"
      And model call 2 receives
        | role      | content | calls |
        | user      | Hello   |       |
        | assistant | Look    | t1    |
        | tool      | found   |       |
      And model call 2 receives only the tool "t1"
      And model call 3 receives
        | role      | content | calls  |
        | user      | Hello   |        |
        | assistant | Look    | t1     |
        | tool      | found   |        |
        | assistant | Wait    | t1, t1 |
        | tool      | found   |        |
        | tool      | found   |        |
      And model call 3 receives only the tool "t1"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HANDLER-08 @clarified
  Rule: A handler whose declared changes do not include answers leaves the events of a run unchanged

    Scenario Outline: An answer with a tool call and a final answer, in a <mode> run
      Given a <mode> run
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a tool "t1" that returns "found"
      And the handler under test, which declares no change of answers or tool calls or results
      When the agent runs
      Then the events are
        | role      | content |
        | assistant | Look    |
        | tool      | found   |
        | assistant | Seen    |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HANDLER-09 @clarified
  Rule: A handler whose declared changes do not include tool calls makes each tool call once, with the arguments of the model

    Scenario: Two calls in one answer
      Given a model that answers
        | calls                                   | text |
        | t1({"city": "Rome"}), t2({"n": [1, 2]}) |      |
        | t1({"city": null})                      |      |
        |                                         | Seen |
      And a tool "t1" that returns "one"
      And a tool "t2" that returns "two"
      And the handler under test, which declares no change of answers or tool calls
      When the agent runs
      Then the tool "t1" runs 2 times
      And the tool "t2" runs once
      And call 1 of the tool "t1" receives the arguments "{"city": "Rome"}"
      And call 2 of the tool "t1" receives the arguments "{"city": null}"
      And call 1 of the tool "t2" receives the arguments "{"n": [1, 2]}"

  @HANDLER-10 @clarified
  Rule: A handler whose declared changes do not include results leaves the result of each tool unchanged

    Scenario: The results of two calls in one answer
      Given a model that answers
        | calls  | text |
        | t1, t2 |      |
        | t3     |      |
        |        | Seen |
      And a tool "t1" that returns "one"
      And a tool "t2" that returns "two"
      And a tool "t3" that returns "three"
      And the handler under test, which declares no change of answers or tool calls or results
      When the agent runs
      Then in any order, model call 2 receives the results
        | content |
        | one     |
        | two     |
      And in any order, model call 3 receives the results
        | content |
        | one     |
        | two     |
        | three   |

  @HANDLER-11 @clarified
  Rule: An error of a model call passes through a handler whose declared changes do not include model errors

    Scenario Outline: The first model call of a <mode> run fails
      Given a <mode> run
      And a model that answers
        | fails with |
        | overloaded |
      And the handler under test, which declares no change of answers or model errors
      When the agent runs
      Then the run fails with the error "overloaded"
      And the model is called once

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: The second model call of a <mode> run fails
      Given a <mode> run
      And a model that answers
        | text | calls | fails with |
        | Look | t1    |            |
        |      |       | overloaded |
      And a tool "t1" that returns "found"
      And the handler under test, which declares no change of answers or tool calls or model errors
      When the agent runs
      Then the run fails with the error "overloaded"
      And the model is called 2 times

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: The model call succeeds
      Given a model that answers
        | text |
        | Seen |
      And the handler under test, which declares no change of answers or model errors
      When the agent runs
      Then the final answer is "Seen"
      And the model is called once

  @HANDLER-12 @clarified
  Rule: An error of a tool passes through a handler whose declared changes do not include tool errors

    @axis:tool-failure
    Scenario: A tool fails
      Given a model that answers
        | text | calls |
        | Look | t1    |
        | Then | t2    |
        | Seen |       |
      And the tools
        | name | returns | fails with |
        | t1   | found   |            |
        | t2   |         | no luck    |
      And the handler under test, which declares no change of answers or tool calls or tool errors
      When the agent runs
      Then the run fails with the error "no luck"
      And the tool "t1" runs once
      And the tool "t2" runs once

  @HANDLER-13 @clarified
  Rule: A handler passes on the interrupt of a tool to the caller

    Scenario: A tool interrupts the run
      Given a model that answers
        | text | calls |
        | Look | t1    |
        | Then | t2    |
        | Seen |       |
      And the tools
        | name | returns | interrupts |
        | t1   | found   |            |
        | t2   |         | yes        |
      And the handler under test, which declares no change of answers or tool calls
      When the agent runs
      Then run 1 is interrupted by "t2"
      And the tool "t1" runs once
      And the tool "t2" runs once

  @HANDLER-14 @clarified
  Rule: A handler that is built again for a resumed run leaves the result of the interrupted call in the requests

    Scenario: A new agent with a new handler resumes the run
      Given a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And the tools
        | name | interrupts | returns |
        | t1   | yes        | found   |
      And the handler under test, which declares no change of requests or answers or tool calls or results
      When the agent runs, is interrupted and is resumed
      Then run 2 succeeds
      And model call 2 receives
        | role      | content | calls |
        | user      | Hello   |       |
        | assistant | Look    | t1    |
        | tool      | found   |       |

  @HANDLER-15 @clarified
  Rule: A streaming answer passes chunk by chunk through a handler whose declared changes do not include answers

    Scenario: The model emits its second chunk after the caller has received the first
      Given a streaming run
      And a model that answers
        | chunks | second chunk held until |
        | A/B    | chunk 1 is emitted      |
      And the handler under test, which declares no change of answers
      When the agent runs
      Then the events are
        | role      | content | chunks |
        | assistant | AB      | A/B    |

    Scenario: An answer after a tool call, whose second chunk the model emits after the caller has received the first
      Given a streaming run
      And a model that answers
        | chunks | calls | second chunk held until |
        |        | t1    |                         |
        | A/B    |       | chunk 2 is emitted      |
      And a tool "t1" that returns "found"
      And the handler under test, which declares no change of answers or tool calls or results
      When the agent runs
      Then the events are
        | role      | content | chunks |
        | assistant |         |        |
        | tool      | found   |        |
        | assistant | AB      | A/B    |

  @HANDLER-16 @clarified
  Rule: A handler object that several agents share has the same effect on the model calls of each

    Scenario: Two agents have the same handler object
      Given a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a tool "t1" that returns "found"
      And the handler under test, in one agent per run
      When the agent runs twice
      Then all runs make the same model calls
      And the model is called 4 times
