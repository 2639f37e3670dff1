Feature: What the hook before agent is shown, and how it fails
  The hook before agent is shown everything the run would start with, not
  only what the agent's configuration says: older middlewares and the
  framework itself add to it. It may also use the session, which is the
  caller's. When it fails, the run has failed before it began.

  @HOOK-BA-11 @clarified
  Rule: Its error is the only event of the run, and nothing else is called

    Scenario Outline: The first of two handlers fails, in a <mode> run
      Given a <mode> run
      And a handler "H1" that, before agent, fails with "not today"
      And a handler "H2" that looks on
      When the agent runs
      Then the events are
        | event | content   |
        | error | not today |
      And the trace is
        """
        before agent H1
        """

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-BA-12 @clarified
  Rule: A failure that nobody foresaw is an event of the run, too

    Scenario: A handler breaks
      Given a handler "H" that, before agent, fails unforeseen with "oops"
      When the agent runs
      Then the events are
        | event | content |
        | error | oops    |
      And the model is called 0 times

  @HOOK-BA-15 @clarified
  Rule: It can read the session, and what it writes there is there for the instruction

    Scenario: A session value is looked up and replaced
      Given an agent with the instruction "Serve {k}."
      And a session in which "k" is "v"
      And a handler "H" that does
        | hook         | deed                               |
        | before agent | looks up the session value "k"     |
        | before agent | sets the session value "k" to "v2" |
      When the agent runs
      Then before agent, "H" finds "k" as "v"
      And model call 1 receives
        | role   | content   |
        | system | Serve v2. |
        | user   | Hello.    |

  @HOOK-BA-16 @documented
  Rule: It is shown what older middlewares add to the instruction and to the tools

    Scenario: A legacy middleware that adds both
      Given an agent with the instruction "Be brief."
      And a tool "t1" that returns "one"
      And a legacy middleware "L" that adds the instruction "Be kind."
      And a legacy middleware "L" that adds the tools
        | name |
        | t2   |
      And a handler "H" that looks on before agent
      When the agent runs
      Then before agent, the instruction that "H" sees says "Be brief."
      And before agent, the instruction that "H" sees says "Be kind."
      And before agent, "H" sees, in any order, the tools t1, t2

  @HOOK-BA-20 @documented
  Rule: The tools that a hook before the agent receives are without wrappers

    Scenario Outline: The tools are returned as they are, in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "one"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H" that looks on before agent and around tool
      And a legacy middleware "L" that, around tool, looks on
      And a tool middleware "M" that looks on
      When the agent runs
      Then before agent, "H" sees the tools t1
      And "around tool M" happens once
      And "around tool L" happens once
      And "around tool H" happens once
      And the final answer is "done"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-BA-18 @documented
  Rule: It is shown the names of the tools that are configured to return directly

    Scenario: One of two tools
      Given the tools
        | name |
        | t1   |
        | t2   |
      And the tools t2 return directly
      And a handler "H" that looks on before agent
      When the agent runs
      Then before agent, "H" sees that t2 return directly
