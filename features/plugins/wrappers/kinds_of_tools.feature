Feature: Tool wrappers and the kinds of tools
  An invokable tool returns its result at once, a streamable tool in chunks.
  The result of such a tool is a text. The result of an enhanced tool consists
  of parts, such as texts and images. A middleware has one tool wrapper for all
  kinds. A middleware that checks permissions therefore works for every tool.

  @PLUGIN-25 @clarified
  Rule: A middleware's tool wrapper wraps the calls of tools of every kind

    Scenario Outline: One tool of each kind, in a <mode> run
      Given a <mode> run
      And the tools
        | name   | kind                | parts |
        | plain  | invokable           |       |
        | stream | streamable          |       |
        | rich   | enhanced invokable  | sunny |
        | film   | enhanced streamable | sunny |
      And a model that answers
        | calls                     | text |
        | plain, stream, rich, film |      |
        |                           | done |
      And a middleware "watch" that observes around tool
      When the agent runs
      Then the tool calls that "watch" wraps are
        | tool   | call id |
        | plain  | call 1  |
        | stream | call 2  |
        | rich   | call 3  |
        | film   | call 4  |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: Two tools of two kinds each
      Given the tools
        | name | kind                              | parts |
        | both | invokable and streamable          |       |
        | rich | enhanced invokable and streamable | sunny |
      And a model that answers
        | calls      | text |
        | both, rich |      |
        |            | done |
      And a middleware "watch" that observes around tool
      When the agent runs
      Then the tool calls that "watch" wraps are
        | tool | call id |
        | both | call 1  |
        | rich | call 2  |

    Scenario: Tools that a middleware provides
      Given a middleware "watch" that observes around tool
      And "watch" provides the tools
        | name   | kind                     | parts |
        | stream | streamable               |       |
        | both   | invokable and streamable |       |
        | rich   | enhanced invokable       | sunny |
      And a model that answers
        | calls              | text |
        | stream, both, rich |      |
        |                    | done |
      When the agent runs
      Then the tool calls that "watch" wraps are
        | tool   | call id |
        | stream | call 1  |
        | both   | call 2  |
        | rich   | call 3  |

  @PLUGIN-26 @clarified
  Rule: A middleware's tool wrapper can deny calls of invokable, streamable and enhanced tools

    Scenario Outline: A denied call of a tool that is <kind>
      Given the tools
        | name | kind   | parts |
        | t1   | <kind> | sunny |
      And a model that calls "t1" once before it answers "done"
      And a middleware "guard" that, around tool, short-circuits with "you may not"
      When the agent runs
      Then the tool "t1" never runs
      And in any order, model call 2 receives the results
        | content   | parts   | call id |
        | <content> | <parts> | call 1  |
      And the final answer is "done"

      Examples: kinds of tools
        | kind                | content     | parts       |
        | streamable          | you may not |             |
        | enhanced invokable  |             | you may not |
        | enhanced streamable |             | you may not |

  @PLUGIN-27 @clarified
  Rule: A middleware's tool wrapper can change the arguments for a tool of any kind

    Scenario Outline: Changed arguments for a tool that is <kind>
      Given the tools
        | name | kind   | parts |
        | t1   | <kind> | sunny |
      And a model that answers
        | calls               | text |
        | t1({"city": "Ulm"}) |      |
        |                     | done |
      And a middleware "guide" that, around tool, passes on the arguments {"city": "Bonn"}
      When the agent runs
      Then call 1 of the tool "t1" receives the arguments "{"city": "Bonn"}"
      And the final answer is "done"

      Examples: kinds of tools
        | kind                |
        | invokable           |
        | streamable          |
        | enhanced invokable  |
        | enhanced streamable |

  @PLUGIN-28 @clarified
  Rule: A middleware's tool wrapper can change the whole result of a tool, whether the tool returns a text, parts or a stream

    Scenario Outline: A text from a tool that is <kind>
      Given a streaming run
      And the tools
        | name | kind   | returns | chunks |
        | t1   | <kind> | sunny   | sun/ny |
      And a model that calls "t1" once before it answers "done"
      And a middleware "source" that, around tool, appends ", says Ann" to the answer
      When the agent runs
      Then around tool, "source" receives the answer "sunny"
      And in any order, model call 2 receives the results
        | content         | call id |
        | sunny, says Ann | call 1  |

      Examples: tools that return a text
        | kind                     |
        | streamable               |
        | invokable and streamable |

    Scenario Outline: A text and an image from a tool that is <kind>
      Given the tools
        | name | kind   | parts           |
        | t1   | <kind> | sunny/image:sun |
      And a model that calls "t1" once before it answers "done"
      And a middleware "source" that, around tool, appends "says Ann" to the answer
      When the agent runs
      Then around tool, "source" receives the answer "sunny/image:sun"
      And in any order, model call 2 receives the results
        | content | parts                    | call id |
        |         | sunny/image:sun/says Ann | call 1  |

      Examples: tools that return parts
        | kind                |
        | enhanced invokable  |
        | enhanced streamable |

  @PLUGIN-29 @clarified
  Rule: A middleware's tool wrapper can return a command for a tool of any kind

    Scenario Outline: A command that sets the state, for a tool that is <kind>
      Given the tools
        | name | kind   | parts           |
        | t1   | <kind> | sunny/image:sun |
      And a model that calls "t1" once before it answers "done"
      And a middleware "guard" that, around tool, turns the answer into a command that sets the state "seen" to "t1"
      And the state of "guard" has the fields
        | field | type |
        | seen  | text |
      When the agent runs
      Then afterwards the state includes {"seen": "t1"}
      And in any order, model call 2 receives the results
        | content   | parts   | call id |
        | <content> | <parts> | call 1  |

      Examples: kinds of tools
        | kind                | content | parts           |
        | streamable          | ok      |                 |
        | enhanced invokable  |         | sunny/image:sun |
        | enhanced streamable |         | sunny/image:sun |

    Scenario Outline: A command with only a result, for a tool that is <kind>
      Given the tools
        | name | kind   | parts |
        | t1   | <kind> | sunny |
      And a model that calls "t1" once before it answers "done"
      And a middleware "guard" that, around tool, returns a command with the text "rainy"
      When the agent runs
      Then in any order, model call 2 receives the results
        | content   | parts   | call id |
        | <content> | <parts> | call 1  |
      And the final answer is "done"

      Examples: kinds of tools
        | kind                | content | parts |
        | streamable          | rainy   |       |
        | enhanced invokable  |         | rainy |
        | enhanced streamable |         | rainy |

    Scenario Outline: A command that ends the run, for a tool that is <kind>
      Given the tools
        | name | kind   | parts |
        | t1   | <kind> | sunny |
      And a model that calls "t1" once before it answers "done"
      And a middleware "guard" that, around tool, returns a command with the text "enough" that goes to "end"
      When the agent runs
      Then the run succeeds
      And the model is called once

      Examples: kinds of tools
        | kind                |
        | streamable          |
        | enhanced invokable  |
        | enhanced streamable |
