Feature: Middlewares in runs that are interrupted
  A tool may interrupt a run until somebody has been asked, and somebody may
  cancel one. When such a run is resumed, in an agent built anew, its middlewares
  go on as if nothing had happened.

  @PLUGIN-35 @clarified
  Rule: The hooks before the agent are not called again when a run is resumed

    Scenario: A run that a tool interrupts before its second model call
      Given the tools
        | name | interrupts |
        | t1   | yes        |
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that looks on before agent and before model
      When the agent runs and is resumed
      Then the final answer of run 2 is "done"
      And "A" is called once before agent
      And "A" is called 2 times before model

  @PLUGIN-36 @clarified
  Rule: A command's jump to the end survives an interrupt by another call of the same answer

    Scenario Outline: The calls <calls>, of which the command goes to "<target>"
      Given the tools
        | name | interrupts |
        | ask  | yes        |
      And a middleware "A" that looks on before model
      And "A" brings the tools
        | name | goes to  |
        | go   | <target> |
      And a model that answers
        | calls   | text |
        | <calls> |      |
        |         | done |
      When the agent runs and is resumed
      Then run 2 succeeds
      And the model is called <times>

      Examples: to the end
        | calls   | target | times |
        | ask, go | end    | once  |
        | go, ask | end    | once  |

      Examples: elsewhere
        | calls   | target | times   |
        | go, ask | model  | 2 times |

  @PLUGIN-37 @clarified
  Rule: A run that is cancelled after an answer which a hook sends back calls the model when it is resumed

    Scenario: The first answer is sent back before and after that
      Given a model that answers
        | text   | held until                    |
        | draft  | the cancellation is asked for |
        | better |                               |
        | done   |                               |
      And a middleware "critic" that, after model call 1, jumps to "model"
      And the run is to be cancelled after the model call, which is asked for when the model is called
      When the agent runs and is resumed
      Then the final answer of run 2 is "done"
      And the model is called 3 times
