Feature: Around which tool calls, and around those that fail
  Every call of every tool has the handlers around it, wherever the tool comes
  from, and they are told which call it is. A handler may turn a failure into a
  result, so that the model can go on, or make the call once more.

  @HOOK-WT-11 @documented
  Rule: A handler around a tool call is told the name of the tool and the id of this call

    Scenario Outline: Four calls of two tools in a <mode> run
      Given a <mode> run
      And the tools
        | name    |
        | weather |
        | search  |
      And a model that answers
        | calls                           | text |
        | weather as call A, search as B7 |      |
        | weather as call C               |      |
        | weather as call D               |      |
        |                                 | done |
      And a handler "watch" that looks on around tool
      When the agent runs
      Then the tools that "watch" is around are
        | tool    | call id |
        | weather | call A  |
        | search  | B7      |
        | weather | call C  |
        | weather | call D  |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @HOOK-WT-12 @derived
  Rule: Tools that are added to an agent have the handlers around them like its own

    Scenario: A handler has added the tool before the agent
      Given a tool "weather" that returns "sunny"
      And the spare tools
        | name   |
        | search |
      And a model that answers
        | calls  | text |
        | search |      |
        |        | done |
      And a handler "giver" that, before agent, gives the agent the tools weather, search
      And a handler "watch" that looks on around tool
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool watch
          tool search
        """

    Scenario: A legacy middleware has added the tool
      Given a legacy middleware "old" that adds the tools
        | name   |
        | search |
      And a model that answers
        | calls  | text |
        | search |      |
        |        | done |
      And a handler "watch" that looks on around tool
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool watch
          tool search
        """

  @HOOK-WT-09 @derived
  Rule: When a handler turns an error of a tool into a result, the run goes on with it

    Scenario Outline: A tool that is <kind> fails in a <mode> run
      Given a <mode> run
      And a conversation of plain messages
        | role | content |
        | user | Hello   |
      And the tools
        | name    | kind   | fails with |
        | weather | <kind> | offline    |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "net" that, around tool, calls further in and answers "unknown" if that fails
      When the agent runs
      Then model call 2 receives
        | role      | content |
        | user      | Hello   |
        | assistant |         |
        | tool      | unknown |
      And the final answer is "done"

      Examples:
        | kind       | mode        |
        | invokable  | synchronous |
        | invokable  | streaming   |
        | streamable | streaming   |

  @HOOK-WT-08 @clarified
  Rule: An error of a handler around a tool call ends the run like one of the tool

    Scenario Outline: A handler fails before it calls further in, in a <mode> run
      Given a <mode> run
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   |
        | weather |
      And a handler "guard" that, around tool, fails with "forbidden"
      When the agent runs
      Then the run fails with the error "forbidden"
      And the tool "weather" never runs
      And the model is called once

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A handler fails after it has called further in
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   |
        | weather |
      And a handler "guard" that, around tool, calls further in; fails with "forbidden"
      When the agent runs
      Then the run fails with the error "forbidden"
      And the tool "weather" runs once
      And the model is called once

  @HOOK-WT-10 @clarified
  Rule: A handler may call the tool more than once, and still the call has one result

    Scenario Outline: The handler asks again in a <mode> run
      Given a <mode> run
      And the tools
        | name    | returns    |
        | weather | rain/sunny |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "doubter" that, around tool, calls further in; calls further in
      And a handler "inner" that looks on around tool
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool doubter
          around tool inner
            tool weather
          around tool inner
            tool weather
        """
      And the events are
        | role      | content |
        | assistant |         |
        | tool      | sunny   |
        | assistant | done    |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |
