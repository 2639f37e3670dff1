Feature: Around a tool call
  Between the model that asks for a tool and the tool there may be handlers: they
  see the arguments on their way in and the result on its way out. This is where
  calls are logged, refused or answered differently. Of several handlers the first
  registered is outermost, and each call has them around it anew.

  @HOOK-WT-01 @documented
  Rule: Around a tool call the first handler registered is outermost

    Scenario Outline: Three handlers in a <mode> run
      Given a <mode> run
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "first" that looks on around tool
      And a handler "second" that looks on around tool
      And a handler "third" that looks on around tool
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool first
          around tool second
            around tool third
              tool weather
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-WT-05 @documented
  Rule: The tool result that the outermost handler returns is the one in the conversation

    Scenario Outline: Two handlers add to the result of a tool that is <kind>, in a <mode> run
      Given a <mode> run
      And a conversation of plain messages
        | role | content |
        | user | Hello   |
      And the tools
        | name    | kind   | returns |
        | weather | <kind> | sunny   |
      And a model that answers
        | calls   | text   |
        | weather | asking |
        |         | done   |
      And a handler "outer" that, around tool, adds ", outer" to the answer
      And a handler "inner" that, around tool, adds ", inner" to the answer
      When the agent runs
      Then model call 2 receives
        | role      | content             |
        | user      | Hello               |
        | assistant | asking              |
        | tool      | sunny, inner, outer |

      Examples:
        | kind       | mode        |
        | invokable  | synchronous |
        | invokable  | streaming   |
        | streamable | streaming   |

  @HOOK-WT-06 @documented
  Rule: Arguments that a handler changes are changed for everything further in, and nowhere else

    Scenario: The outer one of two handlers changes the arguments
      Given a conversation of plain messages
        | role | content |
        | user | Hello   |
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls                    | text |
        | weather({"city": "Ulm"}) |      |
        |                          | done |
      And a handler "outer" that, around tool, passes on the arguments {"city": "Bonn"}
      And a handler "inner" that looks on around tool
      When the agent runs
      Then around tool, "inner" gets the arguments "{"city": "Bonn"}"
      And call 1 of the tool "weather" gets the arguments "{"city": "Bonn"}"
      And model call 2 receives
        | role      | content | arguments       |
        | user      | Hello   |                 |
        | assistant |         | {"city": "Ulm"} |
        | tool      | sunny   |                 |

  @HOOK-WT-15 @documented
  Rule: Options that handlers give a call reach the tool

    Scenario Outline: Two handlers give an option each to a tool that is <kind>
      Given a <mode> run
      And the tools
        | name    | kind   | parts   |
        | weather | <kind> | <parts> |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "outer" that, around tool, passes on the option "unit" as "metric"
      And a handler "inner" that, around tool, passes on the option "tone" as "calm"
      When the agent runs
      Then the tool "weather" gets the option "unit" as "metric"
      And the tool "weather" gets the option "tone" as "calm"

      Examples:
        | kind                | parts | mode        |
        | invokable           |       | synchronous |
        | streamable          |       | streaming   |
        | enhanced invokable  | sunny | synchronous |
        | enhanced streamable | sunny | streaming   |

  @HOOK-WT-07 @documented
  Rule: A handler may refuse a call by answering itself, and then nothing further in is reached

    Scenario Outline: The middle one of three handlers refuses in a <mode> run
      Given a <mode> run
      And a conversation of plain messages
        | role | content |
        | user | Hello   |
      And a tool "delete" that returns "deleted"
      And a model that answers
        | calls  | text |
        | delete |      |
        |        | done |
      And a handler "outer" that looks on around tool
      And a handler "guard" that, around tool, answers "denied" itself
      And a handler "inner" that looks on around tool
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool outer
          around tool guard
        """
      And model call 2 receives
        | role      | content | call id |
        | user      | Hello   |         |
        | assistant |         |         |
        | tool      | denied  | call 1  |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-WT-13 @documented
  Rule: A handler that hands back the tool it is given stands around nothing

    Scenario: Between two that stand around the tool
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "outer" that looks on around tool
      And a handler "elsewhere" that looks on after agent
      And a handler "inner" that looks on around tool
      When the agent runs
      Then the trace is
        """
        model
        around tool outer
          around tool inner
            tool weather
        model
        after agent elsewhere
        """
