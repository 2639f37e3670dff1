Feature: Middlewares in interrupted and cancelled runs
  A tool can interrupt a run, for example to ask the user, and the caller can
  cancel a run. The run can then be resumed, also by an agent that is built
  from the same configuration in another process. The middlewares continue
  with the step that follows the stop. A tool can return a command, which jumps
  to a step of the run, for example to the end. An example numbers the resumed
  part of the run as run 2.

  @PLUGIN-35 @clarified
  Rule: Resuming a run does not call the before-agent hooks of middlewares again

    Scenario: A tool interrupts the run before its second model call
      Given the tools
        | name | interrupts |
        | t1   | yes        |
        | t2   | yes        |
      And a model that answers
        | calls | text |
        | t1    |      |
        | t2    |      |
        |       | done |
      And a middleware "A" that observes before agent and before model
      When the agent runs, is resumed, and is resumed again from the new stop
      Then the final answer of run 3 is "done"
      And "A" is called once before agent
      And "A" is called 3 times before model

    Scenario: An earlier handler interrupts the run before its second model call
      Given a handler "H" that, before model call 2 of run 1, interrupts the run
      And a middleware "A" that observes before agent and before model
      And a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      When the agent runs and is resumed
      Then run 1 is interrupted
      And the final answer of run 2 is "done"
      And "A" is called once before agent
      And "A" is called 2 times before model

  @PLUGIN-36 @clarified
  Rule: If a tool call returns a command that jumps to the end and another call of the same answer interrupts the run, the resumed run ends without another model call

    Scenario Outline: The calls <calls>, with a command that jumps to "<target>"
      Given the tools
        | name | interrupts |
        | ask  | yes        |
      And a middleware "A" that observes before model
      And "A" provides the tools
        | name | goes to  |
        | go   | <target> |
      And a model that answers
        | calls   | text |
        | <calls> |      |
        |         | done |
      When the agent runs and is resumed
      Then run 2 succeeds
      And the model is called <times>

      Examples: a jump to the end
        | calls   | target | times |
        | ask, go | end    | once  |
        | go, ask | end    | once  |

      Examples: a jump to another target
        | calls   | target | times   |
        | go, ask | model  | 2 times |

  @PLUGIN-37 @clarified
  Rule: If a hook has jumped back to the model and the run is cancelled before this model call, the resumed run makes the call

    Scenario: A jump back to the model after the first answer
      Given a model that answers
        | text   | held until               |
        | draft  | a cancel request is made |
        | better |                          |
      And a middleware "critic" that, after model call 1 of run 1, jumps to "model"
      And a cancel request, which takes effect after the model call, is made when the model is called
      When the agent runs and is resumed
      Then the final answer of run 2 is "better"
      And the model is called 2 times
