Feature: Custom input
  By default, a run starts with the instruction as a system message, followed by
  the caller's messages. A custom input function replaces this default. The
  function builds the input of the first model call itself.

  @CFG-04 @derived
  Rule: The messages of a custom input function replace the default input of the run

    Scenario: An instruction and a custom input function
      Given an agent with the instruction "Be brief."
      And a custom input function that prepends
        | role   | content   |
        | system | Be funny. |
        | user   | Hi there. |
      And a tool "search" that returns "found"
      And a model that answers
        | calls  | text |
        | search |      |
        |        | done |
      When the agent runs
      Then model call 1 receives
        | role   | content   |
        | system | Be funny. |
        | user   | Hi there. |
        | user   | Hello.    |
      And model call 2 receives
        | role      | content   |
        | system    | Be funny. |
        | user      | Hi there. |
        | user      | Hello.    |
        | assistant |           |
        | tool      | found     |

    Scenario: A run that is interrupted and resumed
      Given a custom input function that prepends
        | role | content   |
        | user | Hi there. |
      And the tools
        | name   | returns | interrupts |
        | search | found   | yes        |
      And a model that answers
        | calls  | text |
        | search |      |
        |        | done |
      When the agent runs and is resumed
      Then model call 2 receives
        | role      | content   |
        | user      | Hi there. |
        | user      | Hello.    |
        | assistant |           |
        | tool      | found     |

    Scenario: Two calls of a sub-agent
      Given a sub-agent "helper"
      And a custom input function that prepends
        | role   | content   |
        | system | Be funny. |
      And an outer agent
      And a model that answers
        | calls                        | text |
        | helper({"request": "Why?"})  |      |
        | helper({"request": "Where"}) |      |
        |                              | done |
      When the agent runs
      Then model call 2 receives
        | role   | content   |
        | system | Be funny. |
        | user   | Why?      |
      And model call 4 receives
        | role   | content   |
        | system | Be funny. |
        | user   | Where     |

    Scenario: A sub-agent with a custom input function, after an interrupt, next to another run
      Given a sub-agent "helper"
      And an agent with the instruction "Be brief."
      And a custom input function that prepends
        | role   | content   |
        | system | Be funny. |
      And a model that answers
        | text   |
        | helped |
        | helped |
        | helped |
        | helped |
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
      When the agent runs, and is resumed while it runs once more
      Then the final answer of run 2 is "done"
      And call 1 of the model "helper's" does not contain "Be brief."
      And call 2 of the model "helper's" does not contain "Be brief."
      And call 3 of the model "helper's" does not contain "Be brief."
      And call 3 of the model "helper's" contains "Be funny."

  @CFG-16 @clarified
  Rule: A custom input function receives the caller's messages and the instruction that the before-agent hooks return

    Scenario Outline: A before-agent hook that <changes> the instruction
      Given an agent with the instruction "Be brief."
      And a handler "H" that, before agent, <action>
      And a custom input function that prepends
        | role   | content   |
        | system | Be funny. |
      When the agent runs
      Then the custom input function receives the instruction "<instruction>"
      And the custom input function receives
        | role | content |
        | user | Hello.  |

      Examples:
        | changes | action                               | instruction         |
        | extends | adds " And kind." to the instruction | Be brief. And kind. |
        | empties | sets the instruction to ""           |                     |

    Scenario: An instruction with a session key in braces
      Given an agent with the instruction "Serve {k}."
      And a session in which "k" is "v"
      And a custom input function that prepends
        | role   | content   |
        | system | Be funny. |
      When the agent runs
      Then the custom input function receives the instruction "Serve {k}."

  @CFG-10 @clarified
  Rule: An error of a custom input function ends the run after the before-agent hooks and before all other hooks

    Scenario: A handler that observes every hook
      Given a handler "H" that observes
      And a custom input function that fails with "no input"
      When the agent runs
      Then the run fails with the error "no input"
      And the stream ends with one error
      And "H" is called once before agent
      And "H" is never called before model
      And the model is called 0 times

  @INSTR-06 @derived
  Rule: Braces in the messages of a custom input function reach the model unchanged

    Scenario: Single and doubled braces in a system message
      Given an agent with the instruction "Serve {k}."
      And a session in which "k" is "v"
      And a custom input function that prepends
        | role   | content          |
        | system | Keep {k}, {{k}}. |
      When the agent runs
      Then model call 1 receives
        | role   | content          |
        | system | Keep {k}, {{k}}. |
        | user   | Hello.           |

    Scenario: Braces in the messages for a sub-agent, after an interrupt, next to another run
      Given a sub-agent "helper"
      And a custom input function that prepends
        | role   | content                |
        | system | Keep {mood}, {{mood}}. |
      And a model that answers
        | text   |
        | helped |
        | helped |
        | helped |
        | helped |
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
      When the agent runs, and is resumed while it runs once more
      Then the final answer of run 2 is "done"
      And call 1 of the model "helper's" contains "Keep {mood}, {{mood}}."
      And call 2 of the model "helper's" contains "Keep {mood}, {{mood}}."
      And call 3 of the model "helper's" contains "Keep {mood}, {{mood}}."
