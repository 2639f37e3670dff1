Feature: Tool wrappers
  A tool wrapper encloses each tool call. The wrapper receives the arguments
  before the tool runs and the result after the tool has run. Use tool
  wrappers to log calls, to deny calls, or to rewrite results. Wrappers of
  several handlers nest like the layers of an onion. The wrappers of legacy
  middlewares, the older form of handlers, are further layers.

  @HOOK-WT-01 @documented
  Rule: Tool wrappers nest in registration order, with the first registered outermost

    Scenario: Three handlers
      Given a tool "weather" that returns "sunny"
      And a model that calls "weather" once before it answers "done"
      And a handler "first" that observes around tool
      And a handler "second" that observes around tool
      And a handler "third" that observes around tool
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool first
          around tool second
            around tool third
              tool weather
        """

  @HOOK-WT-06 @derived
  Rule: Arguments that a tool wrapper changes reach only the inner wrappers and the tool

    Scenario: The outer of two wrappers changes the arguments
      Given a conversation of plain messages
        | role | content |
        | user | Hello   |
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls                    | text |
        | weather({"city": "Ulm"}) |      |
        |                          | done |
      And a handler "outer" that, around tool, passes on the arguments {"city": "Bonn"}
      And a handler "inner" that observes around tool
      When the agent runs
      Then around tool, "inner" receives the arguments "{"city": "Bonn"}"
      And call 1 of the tool "weather" receives the arguments "{"city": "Bonn"}"
      And model call 2 receives
        | role      | content | arguments       |
        | user      | Hello   |                 |
        | assistant |         | {"city": "Ulm"} |
        | tool      | sunny   |                 |

    Scenario: A wrapper changes the arguments of the first of two calls of one tool
      Given a tool "t1" that returns "one"
      And a model that answers
        | calls                                | text |
        | t1({"n": 1}) as a, t1({"n": 2}) as b |      |
        |                                      | done |
      And tool calls run sequentially
      And a handler "H" that, around tool call 1, passes on the arguments {"n": 0}
      When the agent runs
      Then call 1 of the tool "t1" receives the arguments "{"n": 0}"
      And call 2 of the tool "t1" receives the arguments "{"n": 2}"

  @HOOK-WT-15 @derived
  Rule: Options that tool wrappers add to a call reach the tool

    Scenario Outline: Two wrappers that add an option each, with a tool that is <kind>
      Given a <mode> run
      And the tools
        | name    | kind   | parts   |
        | weather | <kind> | <parts> |
      And a model that calls "weather" once before it answers "done"
      And a handler "outer" that, around tool, passes on the option "unit" as "metric"
      And a handler "inner" that, around tool, passes on the option "tone" as "calm"
      When the agent runs
      Then the tool "weather" receives the option "unit" with the value "metric"
      And the tool "weather" receives the option "tone" with the value "calm"

      Examples:
        | kind                | parts | mode        |
        | invokable           |       | synchronous |
        | streamable          |       | streaming   |
        | enhanced invokable  | sunny | synchronous |
        | enhanced streamable | sunny | streaming   |

    Scenario Outline: A wrapper of a handler, and one of a middleware inside it, with a tool that is <kind>
      Given the tools
        | name    | kind   | parts   |
        | weather | <kind> | <parts> |
      And a model that calls "weather" once before it answers "done"
      And a handler "outer" that, around tool, passes on the option "unit" as "metric"
      And a middleware "inner" that observes around tool
      When the agent runs
      Then the tool "weather" receives the option "unit" with the value "metric"

      Examples:
        | kind                | parts |
        | invokable           |       |
        | streamable          |       |
        | enhanced invokable  | sunny |
        | enhanced streamable | sunny |

    Scenario: A person approves the call with other arguments
      Given the tools
        | name    | needs approval |
        | weather | yes            |
      And a model that answers
        | calls        | text |
        | weather as a |      |
        |              | done |
      And a tool middleware "outer" that passes on the option "unit" as "metric"
      And the caller approves the call "a" with the arguments "{"city": "Bonn"}"
      When the agent runs and is resumed
      Then the tool "weather" receives the option "unit" with the value "metric"

  @HOOK-WT-07 @derived
  Rule: A tool wrapper that short-circuits a call skips the inner wrappers and the tool

    Scenario: The second of three wrappers short-circuits
      Given a conversation of plain messages
        | role | content |
        | user | Hello   |
      And a tool "delete" that returns "deleted"
      And a model that calls "delete" once before it answers "done"
      And a handler "outer" that observes around tool
      And a handler "guard" that, around tool, short-circuits with "denied"
      And a handler "inner" that observes around tool
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

    Scenario: A wrapper short-circuits with an empty text
      Given a tool "t1" that returns "one"
      And a model that calls "t1" once before it answers "done"
      And a handler "cache" that, around tool, short-circuits with an empty text
      When the agent runs
      Then the tool "t1" never runs
      And the final answer is "done"

    Scenario: A wrapper short-circuits the first of two calls of one tool
      Given a tool "t1" that returns "one"
      And a model that answers
        | calls            | text |
        | t1 as a, t1 as b |      |
        |                  | done |
      And tool calls run sequentially
      And a handler "cache" that, around tool call 1, short-circuits with "cached"
      When the agent runs
      Then the tool "t1" runs once
      And in any order, model call 2 receives the results
        | content | call id |
        | cached  | a       |
        | one     | b       |

  @HOOK-WT-11 @documented
  Rule: A tool wrapper receives the name of the tool and the id of the call

    Scenario: Four calls of two tools
      Given the tools
        | name    |
        | weather |
        | search  |
      And a model that answers
        | calls                           | text |
        | weather as call A, search as B7 |      |
        | weather as call C               |      |
        | weather as call D               |      |
        |                                 | done |
      And a handler "watch" that observes around tool
      When the agent runs
      Then the tool calls that "watch" wraps are
        | tool    | call id |
        | weather | call A  |
        | search  | B7      |
        | weather | call C  |
        | weather | call D  |

  @HOOK-WT-12 @derived
  Rule: Tool wrappers wrap tools that handlers or legacy middlewares add

    Scenario: A before-agent hook adds the tool
      Given a tool "weather" that returns "sunny"
      And the additional tools
        | name   |
        | search |
      And a model that calls "search" once before it answers "done"
      And a handler "giver" that, before agent, sets the tools of the run to "weather", "search"
      And a handler "watch" that observes around tool
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool watch
          tool search
        """

    Scenario: A legacy middleware adds the tool
      Given a legacy middleware "old" that adds the tools
        | name   |
        | search |
      And a model that calls "search" once before it answers "done"
      And a handler "watch" that observes around tool
      When the agent runs
      Then around the tool call "call 1", the trace is
        """
        around tool watch
          tool search
        """

  @HOOK-WT-09 @derived
  Rule: The run continues with a result that a tool wrapper returns in place of an error of the tool

    Scenario Outline: A tool that is <kind> fails, in a <mode> run
      Given a <mode> run
      And a conversation of plain messages
        | role | content |
        | user | Hello   |
      And the tools
        | name    | kind   | fails with |
        | weather | <kind> | offline    |
      And a model that calls "weather" once before it answers "done"
      And a handler "net" that, around tool, calls the next handler and answers "unknown" if it fails
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
  Rule: An error of a tool wrapper ends the run like an error of the tool

    @axis:tool-failure
    Scenario: A wrapper fails before the inner call
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   |
        | weather |
      And a handler "guard" that, around tool, fails with "forbidden"
      When the agent runs
      Then the run fails with the error "forbidden"
      And the tool "weather" never runs
      And the model is called once

    @axis:tool-failure
    Scenario: A wrapper fails after the inner call
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   |
        | weather |
      And a handler "guard" that, around tool, calls the next handler; fails with "forbidden"
      When the agent runs
      Then the run fails with the error "forbidden"
      And the tool "weather" runs once
      And the model is called once

  @HOOK-WT-10 @clarified
  Rule: A tool wrapper can run the tool more than once for a single result

    Scenario Outline: A wrapper that calls the inner endpoint of a tool that is <kind> twice
      Given the tools
        | name    | kind   | returns    |
        | weather | <kind> | rain/sunny |
      And a model that calls "weather" once before it answers "done"
      And a handler "doubter" that, around tool, calls the next handler; calls the next handler
      And a handler "inner" that observes around tool
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
        | kind       |
        | invokable  |
        | streamable |

    @axis:interrupted-wrapper
    Scenario: A wrapper that calls the inner endpoint twice after the wrapper inside it has interrupted the run
      Given a tool "weather" that returns "sunny"
      And a model that calls "weather" once before it answers "done"
      And a handler "doubter" that, around tool, calls the next handler; calls the next handler
      And a handler "inner" that, around tool of run 1, calls the next handler; interrupts the run
      When the agent runs and is resumed
      Then the tool "weather" runs 2 times
      And model call 2 contains the message "sunny"
