Feature: Results of tool wrappers
  A tool wrapper encloses a tool call, and can change the result of the call. Wrappers nest: the wrapper of the first
  handler is the outermost. A sub-agent is an agent that is a tool of another agent, the outer agent.

  @HOOK-WT-05 @derived
  Rule: The result that the outermost tool wrapper returns is the result in the conversation

    Scenario Outline: Two wrappers that change the result of a tool that is <kind>, in a <mode> run
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
      And a handler "outer" that, around tool, appends ", outer" to the answer
      And a handler "inner" that, around tool, appends ", inner" to the answer
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

    Scenario: Two wrappers of a sub-agent, after an interrupt, next to another run
      Given a sub-agent "helper"
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls                      | text    |
        | weather as p, weather as q | \ü*2001 |
        |                            | helped  |
        | weather as r, weather as s | \ü*2001 |
        |                            | helped  |
        | weather as t, weather as u | \ü*2001 |
        |                            | helped  |
      And a handler "outer" that, around tool, appends ", outer" to the answer
      And a handler "inner" that, around tool, appends ", inner" to the answer
      And an outer agent
      And a conversation of agentic messages
        | role | content |
        | user | Grüße.  |
      And a session in which "mood" is ""
      And tool calls run sequentially
      And failed model calls are retried at most once
      And the tools
        | name | returns | kind       | interrupts |
        | t0   |         | streamable | yes        |
      And a model that answers
        | calls                                                                | fails with | text    |
        | t0 as b                                                              |            |         |
        | helper({"request": "Bonn?"}) as a                                    |            | \ü*2001 |
        |                                                                      | busy       |         |
        | helper({"request": "Bonn?"}) as c, helper({"request": "Kiel?"}) as d |            | \ü*2001 |
        |                                                                      |            | done    |
      And a handler "H0" that, before model, reads the session value "mood"
      And call 1 of "model model" in run 3 waits until run 2 has ended
      When the agent runs, and is resumed while it runs once more
      Then call 2 of the model "helper's" contains "sunny, inner, outer"
      And call 4 of the model "helper's" contains "sunny, inner, outer"
      And call 6 of the model "helper's" contains "sunny, inner, outer"
