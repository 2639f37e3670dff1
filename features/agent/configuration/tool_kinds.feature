Feature: The four kinds of tools
  An invokable tool returns its result as a whole, a streamable tool in chunks.
  A plain tool takes and returns text. An enhanced tool takes a structured
  argument and returns parts, such as texts and pictures. A tool of each kind
  works in synchronous and in streaming runs.

  @TOOLS-02 @derived
  Rule: A tool with only the invokable or only the streamable interface works in synchronous and in streaming runs

    Scenario Outline: A tool with only the <kind> interface, in a <mode> run
      Given a <mode> run
      And a conversation of plain messages
        | role | content |
        | user | Hello   |
      And the tools
        | name    | kind   | returns   | chunks   |
        | weather | <kind> | <returns> | <chunks> |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      When the agent runs
      Then the tool "weather" is called as <kind>
      And model call 2 receives
        | role      | content |
        | user      | Hello   |
        | assistant |         |
        | tool      | sunny   |

      Examples:
        | kind       | mode        | returns | chunks |
        | invokable  | synchronous | sunny   |        |
        | invokable  | streaming   | sunny   |        |
        | streamable | synchronous |         | sun/ny |
        | streamable | streaming   |         | sun/ny |

  @TOOLS-03 @clarified
  Rule: A tool with both interfaces is called through the one that matches the mode of the run

    Scenario Outline: A tool that is <tool>, in a <mode> run
      Given a <mode> run
      And the tools
        | name    | kind   | parts |
        | weather | <tool> | sunny |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "watch" that observes around tool
      When the agent runs
      Then the tool "weather" is called as <kind>
      And the tool calls that "watch" wraps are
        | tool    | kind   |
        | weather | <kind> |

      Examples:
        | tool                              | mode        | kind                |
        | invokable and streamable          | synchronous | invokable           |
        | invokable and streamable          | streaming   | streamable          |
        | enhanced invokable and streamable | synchronous | enhanced invokable  |
        | enhanced invokable and streamable | streaming   | enhanced streamable |

    Scenario Outline: An invokable and streamable tool that a middleware provides, in a <mode> run
      Given a <mode> run
      And a middleware "A" without hooks
      And "A" provides the tools
        | name    | kind                     |
        | weather | invokable and streamable |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      When the agent runs
      Then the tool "weather" is called as <kind>
      And the final answer is "done"

      Examples:
        | mode        | kind       |
        | synchronous | invokable  |
        | streaming   | streamable |

  @TOOLS-09 @clarified
  Rule: A tool with plain and enhanced interfaces is called through an enhanced one

    Scenario Outline: Interfaces of both kinds, <tool>, in a <mode> run
      Given a <mode> run
      And the tools
        | name    | kind   | parts |
        | weather | <tool> | sunny |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      When the agent runs
      Then the tool "weather" is called as <kind>
      And the final answer is "done"

      Examples:
        | tool                              | mode        | kind                |
        | invokable and enhanced streamable | synchronous | enhanced streamable |
        | invokable and enhanced streamable | streaming   | enhanced streamable |
        | streamable and enhanced invokable | synchronous | enhanced invokable  |
        | streamable and enhanced invokable | streaming   | enhanced invokable  |

    Scenario Outline: Interfaces of both kinds, <tool>, provided by a middleware, in a <mode> run
      Given a <mode> run
      And a middleware "A" without hooks
      And "A" provides the tools
        | name    | kind   | parts |
        | weather | <tool> | sunny |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      When the agent runs
      Then the tool "weather" is called as <kind>
      And the final answer is "done"

      Examples:
        | tool                              | mode        | kind                |
        | invokable and enhanced streamable | synchronous | enhanced streamable |
        | streamable and enhanced invokable | streaming   | enhanced invokable  |

  @TOOLS-06 @clarified
  Rule: The message of an enhanced tool's result holds the parts and an empty text

    Scenario Outline: The result of a tool that is <kind> has a text and a picture
      Given a conversation of plain messages
        | role | content |
        | user | Hello   |
      And the tools
        | name    | kind   | parts           |
        | weather | <kind> | sunny/image:sun |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      When the agent runs
      Then model call 2 receives
        | role      | content | parts           |
        | user      | Hello   |                 |
        | assistant |         |                 |
        | tool      |         | sunny/image:sun |
      And the events are
        | role      | parts           |
        | assistant |                 |
        | tool      | sunny/image:sun |
        | assistant |                 |

      Examples:
        | kind                |
        | enhanced invokable  |
        | enhanced streamable |

  @TOOLS-07 @clarified
  Rule: An error in a tool's stream is reported both after the chunks of the tool's event and as the last event of the run

    @axis:tool-failure
    Scenario: A tool fails after the first of two chunks
      Given a streaming run
      And the tools
        | name    | kind       | chunks | fails with | after chunks |
        | weather | streamable | sun/ny | offline    | 1            |
      And a model that answers
        | calls   |
        | weather |
      When the agent runs
      Then the events are
        | event  | role      | chunks | ends with | content |
        | stream | assistant |        |           |         |
        | stream | tool      | sun    | offline   | sun     |
        | error  |           |        |           | offline |
      And the model is called once

  @TOOLS-01 @derived
  Rule: Each tool call enters a handler's tool wrapper once

    Scenario: An answer that calls two invokable tools
      Given the tools
        | name    | kind      |
        | weather | invokable |
        | search  | invokable |
      And a model that answers
        | calls                     | text |
        | weather as w, search as s |      |
        |                           | done |
      And a handler "watch" that observes around tool
      When the agent runs
      Then the tool calls that "watch" wraps are
        | tool    | call id |
        | weather | w       |
        | search  | s       |

    Scenario: An answer that calls one tool of each kind
      Given the tools
        | name   | kind                | parts |
        | plain  | invokable           |       |
        | stream | streamable          |       |
        | rich   | enhanced invokable  | sunny |
        | film   | enhanced streamable | sunny |
      And a model that answers
        | calls                     | text |
        | plain, stream, rich, film |      |
        |                           | done |
      And a handler "watch" that observes around tool
      When the agent runs
      Then the tool calls that "watch" wraps are
        | tool   |
        | plain  |
        | stream |
        | rich   |
        | film   |

    Scenario: A call that is repeated after an interrupt
      Given the tools
        | name    | interrupts |
        | weather | yes        |
      And a model that answers
        | calls        | text |
        | weather as w |      |
        |              | done |
      And a handler "watch" that observes around tool
      When the agent runs and is resumed
      Then the tool calls that "watch" wraps are
        | tool    | call id |
        | weather | w       |
        | weather | w       |
      And the tool "weather" runs 2 times

    Scenario Outline: A tool that is <kind>, whose call is repeated after an interrupt
      Given a <mode> run
      And the tools
        | name    | kind   | interrupts | parts |
        | weather | <kind> | yes        | sunny |
      And a model that answers
        | calls        | text |
        | weather as w |      |
        |              | done |
      And a handler "watch" that observes around tool
      When the agent runs and is resumed
      Then the tool calls that "watch" wraps are
        | tool    | call id |
        | weather | w       |
        | weather | w       |
      And the tool "weather" runs 2 times

      Examples:
        | kind                | mode        |
        | invokable           | synchronous |
        | streamable          | streaming   |
        | enhanced invokable  | synchronous |
        | enhanced streamable | streaming   |

    Scenario: Two equal calls of one tool
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls                      | text |
        | weather as w, weather as x |      |
        |                            | done |
      And a handler "watch" that observes around tool
      When the agent runs
      Then the tool calls that "watch" wraps are
        | tool    | call id |
        | weather | w       |
        | weather | x       |

  @HOOK-WT-02 @documented
  Rule: A call of an invokable tool enters only the handler's wrapper for invokable tools

    Scenario Outline: An invokable tool, in a <mode> run
      Given a <mode> run
      And the tools
        | name    | kind      |
        | weather | invokable |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "watch" that observes around tool
      When the agent runs
      Then the tool calls that "watch" wraps are
        | tool    | kind      |
        | weather | invokable |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-WT-03 @documented
  Rule: A call of a streamable tool enters only the handler's wrapper for streamable tools

    Scenario Outline: A streamable tool, in a <mode> run
      Given a <mode> run
      And the tools
        | name    | kind       |
        | weather | streamable |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "watch" that observes around tool
      When the agent runs
      Then the tool calls that "watch" wraps are
        | tool    | kind       |
        | weather | streamable |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-WT-04 @documented
  Rule: A call of an enhanced invokable or enhanced streamable tool enters only the handler's wrapper for that kind

    Scenario Outline: A tool that is <kind>, in a <mode> run
      Given a <mode> run
      And the tools
        | name    | kind   | parts |
        | weather | <kind> | sunny |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "watch" that observes around tool
      When the agent runs
      Then the tool calls that "watch" wraps are
        | tool    | kind   |
        | weather | <kind> |

      Examples:
        | kind                | mode        |
        | enhanced invokable  | synchronous |
        | enhanced invokable  | streaming   |
        | enhanced streamable | synchronous |
        | enhanced streamable | streaming   |

  @HOOK-WT-14 @documented
  Rule: A tool wrapper receives the arguments and the result of a call in the form of the tool's kind

    Scenario Outline: A wrapped tool that is <kind> and returns a text, in a <mode> run
      Given a <mode> run
      And the tools
        | name    | kind   | returns | chunks |
        | weather | <kind> | sunny   | sun/ny |
      And a model that answers
        | calls                    | text |
        | weather({"city": "Ulm"}) |      |
        |                          | done |
      And a handler "watch" that, around tool, calls the next handler and answers "failed" if it fails
      When the agent runs
      Then around tool, "watch" receives the arguments "{"city": "Ulm"}"
      And around tool, "watch" receives the answer "sunny"

      Examples:
        | kind       | mode        |
        | invokable  | synchronous |
        | streamable | streaming   |

    Scenario Outline: A wrapped tool that is <kind> and returns a text and a picture, in a <mode> run
      Given a <mode> run
      And the tools
        | name    | kind   | parts           |
        | weather | <kind> | sunny/image:sun |
      And a model that answers
        | calls                    | text |
        | weather({"city": "Ulm"}) |      |
        |                          | done |
      And a handler "watch" that, around tool, calls the next handler and answers "failed" if it fails
      When the agent runs
      Then around tool, "watch" receives the arguments "{"city": "Ulm"}"
      And around tool, "watch" receives the answer "sunny/image:sun"

      Examples:
        | kind                | mode        |
        | enhanced invokable  | synchronous |
        | enhanced streamable | streaming   |

    Scenario Outline: A call of a tool that is <kind>, which is repeated after an interrupt
      Given a <mode> run
      And the tools
        | name    | kind   | parts           | returns | interrupts |
        | weather | <kind> | sunny/image:sun | sunny   | yes        |
      And a model that answers
        | calls                    | text |
        | weather({"city": "Ulm"}) |      |
        |                          | done |
      And a handler "watch" that, around tool of run 2, calls the next handler and answers "failed" if it fails
      When the agent runs and is resumed
      Then around tool of run 2, "watch" receives the arguments "{"city": "Ulm"}"
      And around tool of run 2, "watch" receives the answer "<answer>"

      Examples:
        | kind                | mode        | answer          |
        | invokable           | synchronous | sunny           |
        | streamable          | streaming   | sunny           |
        | enhanced invokable  | synchronous | sunny/image:sun |
        | enhanced streamable | streaming   | sunny/image:sun |

    Scenario Outline: The second chunk of a tool that is <kind> waits for a custom event
      Given a streaming run
      And the tools
        | name    | kind   | chunks   | parts   | second chunk held until |
        | weather | <kind> | <chunks> | <parts> | event 2 is emitted      |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "outer" that, around tool, calls the next handler; sends the event "the stream has begun"
      And a handler "inner" that observes around tool
      When the agent runs
      Then the trace has, in this order
        """
        around tool outer
        around tool inner
        tool weather
        """
      And the final answer is "done"

      Examples:
        | kind                | chunks | parts           |
        | streamable          | sun/ny |                 |
        | enhanced streamable |        | sunny/image:sun |
