Feature: Where values can be kept for a run
  Keeping a value for the run, looking it up and forgetting it work in all hooks and
  wrappers of a handler alike: it is one store, wherever it is used.

  @RUNLOCAL-08 @documented
  Rule: Values can be kept, looked up and forgotten in all hooks and wrappers behind the hook before the agent

    Scenario Outline: All three <where>
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, <where>, keeps "Ann" as "user"; keeps "rain" as "weather"
      And a handler "H1" that, <where>, forgets "weather"; looks up "user"; looks up "weather"
      When the agent runs
      Then <where>, "H1" finds "user" as "Ann"
      And <where>, "H1" finds nothing under "weather"

      Examples:
        | where        |
        | before model |
        | around model |
        | after model  |
        | around tool  |
        | after agent  |

  @RUNLOCAL-12 @derived
  Rule: A value kept before the first model call is found everywhere in handlers, to the end of the run

    Scenario Outline: Looked up <where> in a <mode> run
      Given a <mode> run
      And a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        |      | t1    |
        | done |       |
      And a handler "H1" that, before model call 1, keeps "Ann" as "user"
      And a handler "H2" that, <where>, looks up "user"
      When the agent runs
      Then <where>, "H2" finds "user" as "Ann"

      Examples: Around model calls
        | mode        | where        |
        | synchronous | before model |
        | synchronous | around model |
        | streaming   | around model |
        | synchronous | after model  |
        | streaming   | after model  |

      Examples: Around tool calls
        | mode        | where       |
        | synchronous | around tool |
        | streaming   | around tool |

      Examples: After the agent
        | mode        | where       |
        | synchronous | after agent |
        | streaming   | after agent |

  @RUNLOCAL-15 @clarified
  Rule: A value can be kept before the agent

    Scenario: Kept before the agent and found around the model
      Given a handler "H1" that, before agent, keeps "Ann" as "user"; looks up "user"
      And a handler "H2" that, around model, looks up "user"
      When the agent runs
      Then before agent, "H1" finds "user" as "Ann"
      And around model, "H2" finds "user" as "Ann"
