Feature: Hooks that a handler leaves out
  A handler has many hooks, and most handlers need one or two of them. A
  base handler provides every hook with no effect. A handler overrides the
  hooks that it needs. The other hooks and wrappers change nothing.

  @BASE-01 @documented
  Rule: A handler that overrides no hook changes nothing

    @axis:nesting
    Scenario: Before a handler that only observes
      Given an agent with the instruction "Be brief."
      And a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "B" that overrides no hook
      And a handler "H" that observes
      When the agent runs
      Then the events are
        | content |
        | asking  |
        | one     |
        | done    |
      And model call 2 receives
        | role      | content   | calls |
        | system    | Be brief. |       |
        | user      | Hello.    |       |
        | assistant | asking    | t1    |
        | tool      | one       |       |
      And the trace is
        """
        before agent H
        before model H
        around model H
          model
        after model H
        around tool H
          tool t1
        before model H
        around model H
          model
        after model H
        after agent H
        """

  @BASE-02 @documented
  Rule: A handler needs to override only the hooks that it uses

    Scenario Outline: Only the hook <hook>
      Given a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "H" that observes <hook>
      When the agent runs
      Then the final answer is "done"
      And "H" is called <times> <hook>
      And model call 2 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | asking  | t1    |
        | tool      | one     |       |

      Examples: once per run
        | hook         | times |
        | before agent | once  |
        | around tool  | once  |
        | after agent  | once  |

      Examples: once per model call
        | hook         | times   |
        | before model | 2 times |
        | around model | 2 times |
        | after model  | 2 times |

    Scenario Outline: No tool wrapper, with a tool that is <kind>
      Given a <mode> run
      And the tools
        | name | kind   | returns | parts |
        | t1   | <kind> | one     | one   |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H" that observes before model
      When the agent runs
      Then the final answer is "done"
      And "H" is called 2 times before model
      And the tool "t1" runs once

      Examples:
        | kind                | mode        |
        | invokable           | synchronous |
        | streamable          | streaming   |
        | enhanced invokable  | synchronous |
        | enhanced streamable | streaming   |

  @HOOK-WM-07 @documented
  Rule: A handler that returns the model that it received adds no model wrapper

    @axis:nesting
    Scenario: Between two model wrappers
      Given an agent
      And a handler "outer" that observes around model
      And a handler "elsewhere" that observes after model
      And a handler "inner" that observes around model
      When the agent runs
      Then the trace is
        """
        around model outer
          around model inner
            model
        after model elsewhere
        """

  @HOOK-WT-13 @documented
  Rule: A handler that returns the endpoint that it received adds no tool wrapper

    Scenario: Between two tool wrappers
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "outer" that observes around tool
      And a handler "elsewhere" that observes after agent
      And a handler "inner" that observes around tool
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
