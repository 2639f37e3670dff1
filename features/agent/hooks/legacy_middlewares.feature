Feature: Middlewares of the older kind
  Before there were handlers, a middleware was a handful of optional things: an
  instruction and tools to add, a function before the model and one after it,
  and a wrapper around tools. Agents still take such middlewares, alone or next
  to handlers. Around the model and the tools they lie outside of the handlers.

  Background:
    Given the conversation
      | role | content |
      | user | Hello   |
    And a tool "t1" that returns "found"
    And a model that answers
      | text | calls |
      | Look | t1    |
      | Seen |       |

  @LEGACY-01 @documented
  Rule: The instruction of a legacy middleware is appended to that of the agent

    Scenario: One middleware with an instruction
      Given an agent with the instruction "Be brief."
      And a legacy middleware "L1" that adds the instruction "Be kind."
      When the agent runs
      Then the system message of model call 1 is "Be brief.", and after it, in any order, "Be kind."

    Scenario: Two middlewares with instructions
      Given an agent with the instruction "Be brief."
      And a legacy middleware "L1" that adds the instruction "Be kind."
      And a legacy middleware "L2" that adds the instruction "Be true."
      When the agent runs
      Then the system message of model call 1 is "Be brief.", and after it, in any order, "Be kind.", "Be true."

  @LEGACY-02 @documented
  Rule: The agent has the tools of its legacy middlewares besides its own

    Scenario Outline: Two middlewares with tools, in a <mode> run
      Given a <mode> run
      And a legacy middleware "L1" that adds the tools
        | name | returns |
        | t2   | two     |
      And a legacy middleware "L2" that adds the tools
        | name | returns |
        | t3   | three   |
      And a model that answers
        | text | calls |
        | Look | t2    |
        | More | t3    |
        | Seen |       |
      When the agent runs
      Then in any order, model call 1 is offered the tools "t1", "t2", "t3"
      And the tool "t2" runs once
      And the tool "t3" runs once
      And the final answer is "Seen"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @LEGACY-07 @documented
  Rule: The tool wrapper of a legacy middleware lies around those of the handlers, and decides on call and result

    Scenario Outline: It lets the call through, to a tool that is <kind>
      Given a <mode> run
      And the tools
        | name | kind   |
        | t2   | <kind> |
      And a model that answers
        | text | calls        |
        | Look | t2 as call 1 |
        | Seen |              |
      And a handler "H1" that looks on around tool
      And a legacy middleware "L1" that looks on
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

    Scenario: It changes the arguments and the result
      Given a handler "H1" that looks on around tool
      And a legacy middleware "L1" that, around tool, passes on the arguments {"a": 1}; adds ", they say" to the answer
      When the agent runs
      Then around tool, "H1" gets the arguments "{"a": 1}"
      And call 1 of the tool "t1" gets the arguments "{"a": 1}"
      And model call 2 receives
        | role      | content         |
        | user      | Hello           |
        | assistant | Look            |
        | tool      | found, they say |

    Scenario: It fails instead of calling further in
      Given a handler "H1" that looks on around tool
      And a legacy middleware "L1" that, around tool, fails with "boom"
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool L1
        """

  @LEGACY-09 @documented
  Rule: Legacy middlewares and handlers of one agent are all called

    Scenario Outline: One of each looks on in a <mode> run
      Given a <mode> run
      And a handler "H1" that looks on
      And a legacy middleware "L1" that looks on
      When the agent runs
      Then "before model L1" happens 2 times
      And "before model H1" happens 2 times
      And "after model H1" happens 2 times
      And "after model L1" happens 2 times
      And "around tool L1" happens once
      And "around tool H1" happens once
      And the final answer is "Seen"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: Two model calls and two tool calls in a <mode> run
      Given a <mode> run
      And a tool "t2" that returns "two"
      And a model that answers
        | text | calls  |
        |      | t1, t2 |
        | done |        |
      And a legacy middleware "L1" that looks on
      And a handler "H1" that looks on
      When the agent runs
      Then "before model L1" happens 2 times
      And "after model L1" happens 2 times
      And "around tool L1" happens 2 times
      And "before model H1" happens 2 times
      And "after model H1" happens 2 times
      And "around tool H1" happens 2 times

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @LEGACY-10 @derived
  Rule: Everything about a legacy middleware is optional

    Scenario Outline: One in which everything is missing, in a <mode> run
      Given a <mode> run
      And an agent with the instruction "Be brief."
      And a legacy middleware "L1" that adds nothing
      When the agent runs
      Then the trace is
        """
        model
        tool t1
        model
        """
      And model call 1 is offered the tools "t1"
      And model call 2 receives
        | role      | content   |
        | system    | Be brief. |
        | user      | Hello     |
        | assistant | Look      |
        | tool      | found     |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: One with nothing but a function <where>
      Given a legacy middleware "L1" that, <where>, looks on
      When the agent runs
      Then "<where> L1" happens <times>
      And the final answer is "Seen"

      Examples:
        | where        | times   |
        | before model | 2 times |
        | after model  | 2 times |
        | around tool  | once    |
