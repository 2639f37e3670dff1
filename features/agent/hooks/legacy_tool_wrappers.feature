Feature: Tool wrappers of legacy middlewares
  A legacy middleware, the older form of a handler, can have a wrapper around tool calls. An agent can combine legacy
  middlewares with handlers.

  Background:
    Given the conversation
      | role | content |
      | user | Hello   |
    And a tool "t1" that returns "found"

  @LEGACY-07 @documented
  Rule: The tool wrapper of a legacy middleware encloses the handlers' tool wrappers and the tool

    Scenario Outline: A wrapper that calls the inner endpoint, with a tool that is <kind>
      Given a <mode> run
      And the tools
        | name | kind   |
        | t2   | <kind> |
      And a model that answers
        | text | calls        |
        | Look | t2 as call 1 |
        | Seen |              |
      And a handler "H1" that observes around tool
      And a legacy middleware "L1" that observes
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool L1
          around tool H1
            tool t2
        """

      Examples:
        | kind       | mode        |
        | invokable  | synchronous |
        | streamable | streaming   |

    Scenario: A wrapper that changes the arguments and the result
      Given a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that observes around tool
      And a legacy middleware "L1" that, around tool, passes on the arguments {"a": 1}; appends ", they say" to the answer
      When the agent runs
      Then around tool, "H1" receives the arguments "{"a": 1}"
      And call 1 of the tool "t1" receives the arguments "{"a": 1}"
      And model call 2 receives
        | role      | content         |
        | user      | Hello           |
        | assistant | Look            |
        | tool      | found, they say |

    Scenario: A wrapper that fails without an inner call
      Given a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that observes around tool
      And a legacy middleware "L1" that, around tool, fails with "boom"
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool L1
        """

    Scenario: A streamable tool in a run with long and empty agentic messages
      Given a streaming run
      And a conversation of agentic messages
        | role      | content |
        | user      | \ü*2001 |
        | assistant |         |
        | user      | Grüße.  |
      And the tools
        | name | kind       |
        | t2   | streamable |
      And a model that answers
        | text | calls        |
        | Look | t2 as call 1 |
        | Seen |              |
      And a handler "H1" that observes around tool
      And a legacy middleware "L1" that observes
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool L1
          around tool H1
            tool t2
        """
