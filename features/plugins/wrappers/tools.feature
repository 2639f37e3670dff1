Feature: The tools of a middleware
  A middleware can provide tools. The agent uses them like its own tools: the
  model receives them, can call them, and tool wrappers wrap their calls.

  @XP-TOOLS-01 @derived
  Rule: The model receives the result of its call to a tool that a middleware provides

    Scenario: A middleware with tools and nothing else
      Given a middleware "A" without hooks
      And "A" provides the tools
        | name | returns |
        | t1   | one     |
        | t2   | two     |
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then the run succeeds
      And the tool "t1" runs once
      And the tool "t2" never runs
      And in any order, model call 2 receives the results
        | content |
        | one     |

    Scenario Outline: A middleware with a tool that is <kind>
      Given a middleware "A" without hooks
      And "A" provides the tools
        | name | kind   | returns   | parts   |
        | t1   | <kind> | <returns> | <parts> |
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then in any order, model call 2 receives the results
        | content   | parts   |
        | <returns> | <parts> |

      Examples:
        | kind                              | returns | parts           |
        | streamable                        | one     |                 |
        | enhanced invokable                |         | sunny/image:sun |
        | invokable and enhanced streamable |         | sunny/image:sun |

    Scenario: A call together with a call of an agent's tool
      Given a tool "t1" that returns "one"
      And a middleware "A" that observes before model
      And "A" provides the tools
        | name | returns |
        | t2   | two     |
      And a model that answers
        | text | calls                |
        |      | t1, t2({"a": "two"}) |
        | done |                      |
      When the agent runs
      Then the run succeeds
      And the tool "t1" runs once
      And the tool "t2" runs once
      And call 1 of the tool "t2" receives the arguments "{"a": "two"}"
      And in any order, model call 2 receives the results
        | content | call id |
        | one     | call 1  |
        | two     | call 2  |

    Scenario: No tool call
      Given a middleware "A" that observes before model
      And "A" provides the tools
        | name |
        | t1   |
      When the agent runs
      Then the run succeeds
      And "A" is called once before model
      And the tool "t1" never runs

  @XP-TOOLS-02 @derived
  Rule: Each model call receives the tools of the agent and of all its middlewares

    Scenario: An agent with a tool and two middlewares with tools
      Given a tool "t1" that returns "one"
      And a middleware "A" that observes before model
      And "A" provides the tools
        | name |
        | t2   |
      And a middleware "B" that observes before model
      And "B" provides the tools
        | name |
        | t3   |
        | t4   |
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then in any order, model call 1 receives the tools "t1", "t2", "t3", "t4"
      And in any order, model call 2 receives the tools "t1", "t2", "t3", "t4"

    Scenario: An agent without tools
      Given a middleware "A" that observes before model
      And "A" provides the tools
        | name |
        | t1   |
      When the agent runs
      Then model call 1 receives only the tool "t1"

    Scenario: A middleware without tools
      Given a tool "t1" that returns "one"
      And a middleware "A" that observes before model
      When the agent runs
      Then model call 1 receives only the tool "t1"

  @XP-TOOLS-03 @clarified
  Rule: A tool of the agent replaces a middleware's tool with the same name

    Scenario: A middleware with a tool of the same name
      Given a tool "t1" that returns "mine"
      And a tool "t3" that returns "three"
      And a middleware "A" that observes before model
      And "A" provides the tools
        | name   | known as | returns |
        | A's t1 | t1       | other   |
        | t2     |          | two     |
        | A's t3 | t3       | other   |
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then the run succeeds
      And the tool "t1" runs once
      And the tool "A's t1" never runs
      And in any order, model call 2 receives the results
        | content |
        | mine    |
      And in any order, model call 1 receives the tools "t1", "t2", "t3"

    Scenario: A middleware with a tool of a different name
      Given a tool "t1" that returns "mine"
      And a middleware "A" that observes before model
      And "A" provides the tools
        | name   | known as | returns |
        | A's t1 | t2       | other   |
      And a model that calls "t2" once before it answers "done"
      When the agent runs
      Then the run succeeds
      And the tool "A's t1" runs once
      And the tool "t1" never runs

  @XP-TOOLS-09 @derived
  Rule: A middleware's tool wrapper also wraps the calls of tools that middlewares provide

    Scenario: A wrapper of a middleware before the one that provides the tool
      Given a middleware "W" that observes around tool
      And a middleware "A" that observes after agent
      And "A" provides the tools
        | name | returns |
        | t1   | one     |
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then the trace is
        """
        model
        around tool W
          tool t1
        model
        after agent A
        """

    Scenario: A wrapper of a middleware after the one that provides the tool
      Given a middleware "A" that observes after agent
      And a middleware "W" that observes around tool
      And "A" provides the tools
        | name | returns |
        | t1   | one     |
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then the trace is
        """
        model
        around tool W
          tool t1
        model
        after agent A
        """

    Scenario: A wrapper of the middleware that provides the tool
      Given a middleware "A" that, around tool, appends "!" to the answer
      And "A" provides the tools
        | name | returns |
        | t1   | one     |
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then "A" is called once around tool
      And in any order, model call 2 receives the results
        | content |
        | one!    |

    Scenario: A call of an agent's tool and a call of a middleware's tool
      Given a tool "t1" that returns "one"
      And a middleware "A" that observes around tool
      And "A" provides the tools
        | name | returns |
        | t2   | two     |
      And a model that answers
        | text | calls  |
        |      | t1, t2 |
        | done |        |
      When the agent runs
      Then the tool calls that "A" wraps are
        | tool | call id |
        | t1   | call 1  |
        | t2   | call 2  |
