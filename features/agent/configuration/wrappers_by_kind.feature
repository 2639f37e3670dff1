Feature: Tool wrappers by kind of tool
  A handler has a tool wrapper for each of the four kinds of tools: invokable, streamable, enhanced invokable and enhanced
  streamable. A call enters only the wrapper for the kind of its tool. An enhanced tool takes a structured argument and
  returns parts, such as texts and pictures.

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
        | name    | kind      | parts |
        | weather | <kind>    | sunny |
        | other   | invokable |       |
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

    Scenario: Two calls of an enhanced invokable tool in two concurrent runs and a third one
      Given a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
      And tool calls run sequentially
      And the tools
        | name    | kind               | parts |
        | weather | enhanced invokable | sunny |
      And a model that answers
        | calls                      | text    |
        | weather as a, weather as b | \ü*2001 |
        |                            | done    |
      And a handler "watch" that observes around tool
      When the agent runs 2 times concurrently, and then once
      Then the tool calls that "watch" wraps are
        | tool    | kind               |
        | weather | enhanced invokable |
        | weather | enhanced invokable |
        | weather | enhanced invokable |
        | weather | enhanced invokable |
        | weather | enhanced invokable |
        | weather | enhanced invokable |

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

    Scenario: Two rounds of enhanced calls, next to another run
      Given a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name    | kind               | parts           | interrupts |
        | t0      | streamable         |                 | yes        |
        | weather | enhanced invokable | sunny/image:sun |            |
      And a model that answers
        | calls                                                          | text |
        | t0 as b                                                        |      |
        | weather({"city": "Köln"}) as a                                 |      |
        | weather({"city": "Bonn"}) as c, weather({"city": "Bonn"}) as d |      |
        |                                                                | done |
      And a handler "watch" that, around tool "weather", calls the next handler and answers "failed" if it fails
      And a handler "inner" that, around tool, reads the session value "mood"
      When the agent runs, and is resumed while it runs once more
      Then the final answer of run 2 is "done"
      And around tool call 3 of run 2, "watch" receives the arguments "{"city": "Bonn"}"
      And around tool call 2 of run 2, "watch" receives the answer "sunny/image:sun"
      And around tool call 3 of run 2, "watch" receives the answer "sunny/image:sun"

    Scenario Outline: The second chunk of a tool that is <kind> in the second round of the second run
      Given a streaming run
      And a conversation of agentic messages
        | role | content |
        | user | \ü*2001 |
      And tool calls run sequentially
      And the tools
        | name    | kind       | chunks   | parts   | second chunk held until | returns |
        | t0      | streamable |          |         |                         | \ü*2001 |
        | weather | <kind>     | <chunks> | <parts> | event 5 is emitted      |         |
      And a model that answers
        | calls                      | text |
        | t0 as a, t0 as b           |      |
        | weather as c, weather as d |      |
        |                            | done |
      And a handler "outer" that, around tool "weather", calls the next handler; sends the event "the stream has begun"
      And a handler "inner" that observes around tool
      When the agent runs twice
      Then the final answer of run 1 is "done"
      And the final answer of run 2 is "done"
      And "inner" is called 8 times around tool

      Examples:
        | kind                | chunks | parts           |
        | streamable          | sun/ny |                 |
        | enhanced streamable |        | sunny/image:sun |
