Feature: Arguments of tool calls
  A model writes the arguments of a tool call as a text, which is mostly JSON. The tool receives the arguments as the model
  wrote them and checks them itself.

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
        | name | kind        | parts | interrupts |
        | t1   | invokable   |       |            |
        | t2   | <kind>      | two   | yes        |
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
