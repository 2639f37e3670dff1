Feature: Returning directly, in streams and by a handler's choice
  A tool that returns directly may stream its result, or fail. And the list of
  these tools is only where a run begins: a handler before the agent is shown it
  and may add names or take some away.

  @RETDIR-08 @derived
  Rule: A tool that returns directly may stream, and the whole stream is the final answer

    Scenario Outline: A tool that answers in two chunks, in a <mode> run
      Given a <mode> run
      And the tools
        | name    | kind       | chunks |
        | weather | streamable | sun/ny |
      And the tools weather return directly
      And a model that answers
        | calls   |
        | weather |
      And a handler "watch" that looks on after agent
      When the agent runs
      Then the final answer is "sunny"
      And after agent, the last message that "watch" sees is "sunny"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @RETDIR-07 @clarified
  Rule: A tool that returns directly and fails ends the run with its error

    Scenario Outline: It fails in a <mode> run
      Given a <mode> run
      And the tools
        | name    | fails with |
        | weather | offline    |
      And the tools weather return directly
      And a model that answers
        | calls   |
        | weather |
      And a handler "watch" that looks on after agent
      When the agent runs
      Then the run fails with the error "offline"
      And "watch" is never called after agent

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @RETDIR-09 @documented
  Rule: What a handler before the agent lets return directly ends the run, its own tools included

    Scenario Outline: A tool of the agent in a <mode> run
      Given a <mode> run
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "chooser" that, before agent, lets the tools weather return directly
      When the agent runs
      Then the model is called once
      And the final answer is "sunny"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A tool that the handler has added
      Given a tool "weather" that returns "sunny"
      And the spare tools
        | name   | returns  |
        | search | a result |
      And a model that answers
        | calls  | text |
        | search |      |
        |        | done |
      And a handler "chooser" that, before agent, gives the agent the tools weather, search; lets the tools search return directly
      When the agent runs
      Then the model is called once
      And the final answer is "a result"

  @RETDIR-10 @documented
  Rule: What a handler before the agent takes off the list does not return directly in this run

    Scenario: One of two names is left
      Given the tools
        | name    | returns  |
        | weather | sunny    |
        | search  | a result |
      And the tools weather, search return directly
      And a model that answers
        | calls   | text |
        | weather |      |
        | search  |      |
        |         | done |
      And a handler "chooser" that, before agent, lets the tools search return directly
      When the agent runs
      Then the model is called 2 times
      And the final answer is "a result"

    Scenario: No name is left
      Given a tool "weather" that returns "sunny"
      And the tools weather return directly
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a handler "chooser" that, before agent, lets the tools nothing return directly
      When the agent runs
      Then the model is called 2 times
      And the final answer is "done"
