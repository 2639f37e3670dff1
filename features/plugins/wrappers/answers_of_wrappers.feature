Feature: Answers of wrappers
  A wrapper receives the request and the next handler. The wrapper can call the next handler once, several times or
  not at all, and its return value is the answer.

  @XP-WRAP-04 @derived
  Rule: A middleware's wrapper that does not call the next handler short-circuits the call with its own answer

    Scenario: The only model call is short-circuited
      Given an agent
      And a middleware "cache" that, around model, short-circuits with "as before"
      When the agent runs
      Then the model is called 0 times
      And the final answer is "as before"

    Scenario: The second of two model calls is short-circuited
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "cache" that, around model call 2, short-circuits with "as before"
      When the agent runs
      Then the model is called once
      And the final answer is "as before"

    Scenario: A tool call is short-circuited
      Given the conversation
        | role | content |
        | user | Hello   |
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "cache" that, around tool, short-circuits with "rain"
      When the agent runs
      Then the tool "weather" never runs
      And model call 2 receives
        | role      | content | calls   |
        | user      | Hello   |         |
        | assistant |         | weather |
        | tool      | rain    |         |

  @XP-WRAP-05 @derived
  Rule: A middleware's wrapper can call the next handler twice before it returns an answer

    Scenario: The second answer of the model is returned
      Given a model that answers
        | text   |
        | first  |
        | second |
      And a middleware "doubter" that, around model, calls the next handler; calls the next handler
      When the agent runs
      Then the trace is
        """
        around model doubter
          model
          model
        """
      And the final answer is "second"

    Scenario: Another answer than the two of the model is returned
      Given a model that answers
        | text   |
        | first  |
        | second |
      And a middleware "doubter" that, around model, calls the next handler; calls the next handler; short-circuits with "third"
      When the agent runs
      Then the model is called 2 times
      And the final answer is "third"

    Scenario: The second result of a tool is returned
      Given the tools
        | name    | returns    |
        | weather | rain/sunny |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "doubter" that, around tool, calls the next handler; calls the next handler
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool doubter
          tool weather
          tool weather
        """
      And in any order, model call 2 receives the results
        | content | call id |
        | sunny   | call 1  |

    Scenario: An inner wrapper changes the system message
      Given an agent with the instruction "Be brief."
      And a model that answers
        | text   |
        | first  |
        | second |
      And a middleware "doubter" that, around model, calls the next handler; calls the next handler
      And a middleware "guide" that, around model, adds " And kind." to the system message passed on
      When the agent runs
      Then the final answer is "second"
      And model call 2 receives
        | role   | content             |
        | system | Be brief. And kind. |
        | user   | Hello.              |

    Scenario: Wrappers of model and tool calls in two runs, the second of which is resumed
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
        | user | \ü*2001 |
      And tool calls run sequentially
      And the tools
        | name | returns    | interrupts |
        | t0   | ein/zwei/drei/vier |            |
        | t1   |            |            |
        | t2   |            | yes        |
      And a model that answers
        | text   |
        | unused |
      And a model "m2" that answers
        | text   | calls                                                |
        |        | t0({"city": "Köln"}) as a, t0({"city": "Bonn"}) as b |
        |        | t1({"city": "Köln"}) as c, t2({"city": "Köln"}) as d |
        | Fertig |                                                      |
      And a middleware "A" that, around model, replaces the model with "m2"
      And a middleware "B" that, around tool "t0", calls the next handler and drops its answer; calls the next handler
      And a middleware "B" that, around tool "t1", short-circuits with "Grüße"
      When the agent runs twice and is resumed
      Then "model" is never called
      And the tool "t0" runs 8 times
      And the tool "t1" never runs
      And call 5 of the model "m2" receives
        | role      | content | calls  | call id |
        | user      | \ü*2001 |        |         |
        | user      | \ü*2001 |        |         |
        | assistant |         | t0, t0 |         |
        | tool      | zwei    |        | a       |
        | tool      | vier    |        | b       |
        | assistant |         | t1, t2 |         |
        | tool      | Grüße   |        | c       |
        | tool      |         |        | d       |
      And the final answer of run 3 is "Fertig"

  @PLUGIN-45 @clarified
  Rule: A middleware's wrapper can extend the complete answer of the next handler

    Scenario: A model wrapper that adds to answers
      Given a model that answers
        | text | calls |
        | Look | t1    |
        | done |       |
      And a tool "t1" that returns "one"
      And a middleware "A" that, around model, calls the next handler; appends "!" to the answer
      When the agent runs
      Then around model call 1, "A" receives the answer "Look"
      And around model call 2, "A" receives the answer "done"
      And call 1 of the tool "t1" receives the arguments "{}"
      And model call 2 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | Look!   | t1    |
        | tool      | one     |       |
      And the final answer is "done!"

    Scenario: A tool wrapper that adds to results
      Given a model that answers
        | calls        | text |
        | t1({"a": 1}) |      |
        |              | done |
      And a tool "t1" that returns "one"
      And a middleware "A" that, around tool, calls the next handler; appends " more" to the answer
      When the agent runs
      Then around tool, "A" receives the answer "one"
      And call 1 of the tool "t1" receives the arguments "{"a": 1}"
      And in any order, model call 2 receives the results
        | content  |
        | one more |
