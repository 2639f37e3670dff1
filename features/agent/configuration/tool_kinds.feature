Feature: The four kinds of tools
  A tool takes its arguments as a text and returns a text, either at once or in
  chunks; or it is enhanced, takes a structured argument and returns parts, texts
  and pictures, again at once or in chunks. Handlers stand around each kind in a
  way of its own, and a tool is called as what it is, in runs of either mode.

  @TOOLS-01 @derived
  Rule: A handler's wrapper is entered once for each tool call

    Scenario: An answer that asks for two invokable tools
      Given the tools
        | name    | kind      |
        | weather | invokable |
        | search  | invokable |
      And a model that answers
        | calls                     | text |
        | weather as w, search as s |      |
        |                           | done |
      And a handler "watch" that looks on around tool
      When the agent runs
      Then the tools that "watch" is around are
        | tool    | call id |
        | weather | w       |
        | search  | s       |

    Scenario: An answer that asks for one tool of each kind
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
      And a handler "watch" that looks on around tool
      When the agent runs
      Then the tools that "watch" is around are
        | tool   |
        | plain  |
        | stream |
        | rich   |
        | film   |

  @HOOK-WT-02 @documented
  Rule: Around a tool that is invokable a handler is asked as around invokable ones

    Scenario Outline: It is called in a <mode> run
      Given a <mode> run
      And the tools
        | name    | kind      |
        | weather | invokable |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "watch" that looks on around tool
      When the agent runs
      Then the tools that "watch" is around are
        | tool    | kind      |
        | weather | invokable |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-WT-03 @documented
  Rule: Around a tool that is streamable a handler is asked as around streamable ones

    Scenario Outline: It is streamed in a <mode> run
      Given a <mode> run
      And the tools
        | name    | kind       |
        | weather | streamable |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "watch" that looks on around tool
      When the agent runs
      Then the tools that "watch" is around are
        | tool    | kind       |
        | weather | streamable |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-WT-04 @documented
  Rule: Around an enhanced tool a handler is asked as around enhanced ones, invokable or streamable

    Scenario Outline: One that is <kind>, in a <mode> run
      Given a <mode> run
      And the tools
        | name    | kind   | parts |
        | weather | <kind> | sunny |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "watch" that looks on around tool
      When the agent runs
      Then the tools that "watch" is around are
        | tool    | kind   |
        | weather | <kind> |

      Examples:
        | kind                | mode        |
        | enhanced invokable  | synchronous |
        | enhanced invokable  | streaming   |
        | enhanced streamable | synchronous |
        | enhanced streamable | streaming   |

  @HOOK-WT-14 @documented
  Rule: A handler gets arguments and result of a call in the form of the tool's kind

    Scenario Outline: A handler around a tool that is <kind> and returns a text, in a <mode> run
      Given a <mode> run
      And the tools
        | name    | kind   | returns | chunks |
        | weather | <kind> | sunny   | sun/ny |
      And a model that answers
        | calls                    | text |
        | weather({"city": "Ulm"}) |      |
        |                          | done |
      And a handler "watch" that, around tool, calls further in and answers "failed" if that fails
      When the agent runs
      Then around tool, "watch" gets the arguments "{"city": "Ulm"}"
      And around tool, "watch" gets the answer "sunny"

      Examples:
        | kind       | mode        |
        | invokable  | synchronous |
        | streamable | streaming   |

    Scenario Outline: A handler around a tool that is <kind> and returns a text and a picture, in a <mode> run
      Given a <mode> run
      And the tools
        | name    | kind   | parts           |
        | weather | <kind> | sunny/image:sun |
      And a model that answers
        | calls                    | text |
        | weather({"city": "Ulm"}) |      |
        |                          | done |
      And a handler "watch" that, around tool, calls further in and answers "failed" if that fails
      When the agent runs
      Then around tool, "watch" gets the arguments "{"city": "Ulm"}"
      And around tool, "watch" gets the answer "sunny/image:sun"

      Examples:
        | kind                | mode        |
        | enhanced invokable  | synchronous |
        | enhanced streamable | streaming   |

    Scenario Outline: The second chunk of a tool that is <kind> waits for an event of the handler
      Given a streaming run
      And the tools
        | name    | kind   | chunks   | parts   | second chunk held until |
        | weather | <kind> | <chunks> | <parts> | event 2 has appeared    |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "outer" that, around tool, calls further in; sends the event "the stream has begun"
      And a handler "inner" that looks on around tool
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
