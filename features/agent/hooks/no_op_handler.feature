Feature: Handlers that do little
  A handler has many hooks, and most handlers need one or two of them. There
  is a base to start from in which all of them do nothing, so a handler says
  only what it wants.

  @BASE-01 @documented
  Rule: A handler that overrides no hook changes nothing

    Scenario Outline: In front of one that looks on, in a <mode> run
      Given a <mode> run
      And an agent with the instruction "Be brief."
      And a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "B" that overrides no hook
      And a handler "H" that looks on
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

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @BASE-02 @documented
  Rule: A handler needs to override no more than the hooks that it wants

    Scenario Outline: Nothing but the hook <hook>
      Given a tool "t1" that returns "one"
      And a model that answers
        | text   | calls |
        | asking | t1    |
        | done   |       |
      And a handler "H" that looks on <hook>
      When the agent runs
      Then the final answer is "done"
      And "H" is called <times> <hook>
      And model call 2 receives
        | role      | content | calls |
        | user      | Hello.  |       |
        | assistant | asking  | t1    |
        | tool      | one     |       |

      Examples: once in a run
        | hook         | times |
        | before agent | once  |
        | around tool  | once  |
        | after agent  | once  |

      Examples: for each model call
        | hook         | times   |
        | before model | 2 times |
        | around model | 2 times |
        | after model  | 2 times |

    Scenario Outline: No hook around tools, beside a tool that is <kind>
      Given a <mode> run
      And the tools
        | name | kind   | returns | parts |
        | t1   | <kind> | one     | one   |
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H" that looks on before model
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
