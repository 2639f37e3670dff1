Feature: The tools of a middleware
  A middleware can bring tools along. The agent has them as it has its own:
  the model is told of them, may call them, and what is around tool calls is
  around theirs.

  @XP-TOOLS-01 @documented
  Rule: A tool that a middleware brings runs when the model calls it, and the model gets its result

    Scenario: A middleware that has nothing but tools
      Given a middleware "A" without hooks
      And "A" brings the tools
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

    Scenario: Beside a tool of the agent's own
      Given a tool "t1" that returns "one"
      And a middleware "A" that looks on before model
      And "A" brings the tools
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
      And call 1 of the tool "t2" gets the arguments "{"a": "two"}"
      And in any order, model call 2 receives the results
        | content | call id |
        | one     | call 1  |
        | two     | call 2  |

    Scenario: A model that calls none
      Given a middleware "A" that looks on before model
      And "A" brings the tools
        | name |
        | t1   |
      When the agent runs
      Then the run succeeds
      And the tool "t1" never runs

  @XP-TOOLS-02 @derived
  Rule: Each model call is offered the tools of all middlewares together with the agent's own

    Scenario: An agent with a tool, and two middlewares with tools
      Given a tool "t1" that returns "one"
      And a middleware "A" that looks on before model
      And "A" brings the tools
        | name |
        | t2   |
      And a middleware "B" that looks on before model
      And "B" brings the tools
        | name |
        | t3   |
        | t4   |
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then in any order, model call 1 is offered the tools t1, t2, t3, t4
      And in any order, model call 2 is offered the tools t1, t2, t3, t4

    Scenario: An agent without any of its own
      Given a middleware "A" that looks on before model
      And "A" brings the tools
        | name |
        | t1   |
      When the agent runs
      Then model call 1 is offered the tools t1

    Scenario: Middlewares that bring none
      Given a tool "t1" that returns "one"
      And a middleware "A" that looks on before model
      When the agent runs
      Then model call 1 is offered the tools t1

  @XP-TOOLS-03 @clarified
  Rule: Of two tools with one name, the agent's own is offered and runs

    Scenario: A middleware with a tool that is known by the name of the agent's
      Given a tool "t1" that returns "mine"
      And a middleware "A" that looks on before model
      And "A" brings the tools
        | name   | known as | returns |
        | A's t1 | t1       | other   |
        | t2     |          | two     |
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then the run succeeds
      And the tool "t1" runs once
      And the tool "A's t1" never runs
      And in any order, model call 2 receives the results
        | content |
        | mine    |
      And in any order, model call 1 is offered the tools t1, t2

    Scenario: A middleware with a tool of another name
      Given a tool "t1" that returns "mine"
      And a middleware "A" that looks on before model
      And "A" brings the tools
        | name   | known as | returns |
        | A's t1 | t2       | other   |
      And a model that calls "t2" once before it answers "done"
      When the agent runs
      Then the run succeeds
      And the tool "A's t1" runs once
      And the tool "t1" never runs

  @XP-TOOLS-09 @derived
  Rule: A wrapper around tool calls is around those of middlewares' tools, too

    Scenario: A wrapper of a middleware attached before the one that brings the tool
      Given a middleware "W" that looks on around tool
      And a middleware "A" that looks on after agent
      And "A" brings the tools
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

    Scenario: A wrapper of a middleware attached behind the one that brings the tool
      Given a middleware "A" that looks on after agent
      And a middleware "W" that looks on around tool
      And "A" brings the tools
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

    Scenario: A wrapper of the middleware that brings the tool
      Given a middleware "A" that, around tool, adds "!" to the answer
      And "A" brings the tools
        | name | returns |
        | t1   | one     |
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then "A" is called once around tool
      And in any order, model call 2 receives the results
        | content |
        | one!    |

    Scenario: A call of the agent's own tool beside one of a middleware's
      Given a tool "t1" that returns "one"
      And a middleware "A" that looks on around tool
      And "A" brings the tools
        | name | returns |
        | t2   | two     |
      And a model that answers
        | text | calls  |
        |      | t1, t2 |
        | done |        |
      When the agent runs
      Then the tools that "A" is around are
        | tool | call id |
        | t1   | call 1  |
        | t2   | call 2  |
