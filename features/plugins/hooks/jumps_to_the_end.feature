Feature: Jumps to the end, and jumps that fail
  A hook or a tool can choose the next step of a run, which is the target of a jump. A jump to the end ends the run
  with the conversation as it is. A jump to a target that is unknown, undeclared or impossible fails.

  @PLUGIN-43 @clarified
  Rule: A jump to the end emits a message event only for an answer that the jumping hook has added

    Scenario: A before-model hook adds an answer
      Given a middleware "pilot" that, before model, adds the assistant message "No."; jumps to "end"
      When the agent runs
      Then the final answer is "No."
      And the events are
        | event   | content |
        | message | No.     |
      And the model is called 0 times

    Scenario: The last message is a tool result
      Given a tool "t1" that returns "ok"
      And a model that answers
        | text | calls |
        | Look | t1    |
        | done |       |
      And a middleware "pilot" that, before model call 2, jumps to "end"
      When the agent runs
      Then the run succeeds
      And the events are
        | event   | content |
        | message | Look    |
        | message | ok      |

    Scenario: The last message is an answer of the model
      Given a model that answers
        | text |
        | Look |
      And a middleware "pilot" with the actions
        | hook                | action           |
        | after model call 1  | jumps to "model" |
        | before model call 2 | jumps to "end"   |
      When the agent runs
      Then the events are
        | event   | content |
        | message | Look    |

    Scenario: A before-model hook adds an answer after a tool call
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "unused"
      And a middleware "pilot" that, before model call 2, adds the assistant message "No."; jumps to "end"
      When the agent runs
      Then the events are
        | event   | content |
        | message |         |
        | message | ok      |
        | message | No.     |
      And the final answer is "No."

    Scenario: A before-model hook adds an answer that equals an earlier one
      Given the conversation
        | role      | content |
        | user      | May I?  |
        | assistant | No.     |
        | user      | Please. |
      And a middleware "pilot" that, before model, adds the assistant message "No."; jumps to "end"
      When the agent runs
      Then the events are
        | event   | content |
        | message | No.     |
      And the model is called 0 times

    Scenario: A before-model hook shortens the conversation and adds an answer
      Given the conversation
        | role      | content |
        | user      | May I?  |
        | assistant | Later.  |
        | user      | Now?    |
      And a middleware "pilot" that, before model, replaces all messages with the user message "(a wish)"; adds the assistant message "No."; jumps to "end"
      When the agent runs
      Then the events are
        | event   | content |
        | message | No.     |

  @PLUGIN-24 @clarified
  Rule: A command that jumps to the end takes precedence over the other commands of the same answer

    Scenario Outline: The calls <calls> in one answer
      Given a middleware "A" that observes before model
      And "A" provides the tools
        | name | goes to |
        | more | model   |
        | stop | end     |
      And a model that answers
        | calls   | text |
        | <calls> |      |
        |         | done |
      When the agent runs
      Then the run succeeds
      And the model is called once

      Examples: positions of the command
        | calls            |
        | stop, more       |
        | more, stop       |
        | more, stop, more |

    Scenario: No command jumps to the end
      Given a middleware "A" that observes before model
      And "A" provides the tools
        | name | goes to |
        | more | model   |
      And a model that answers
        | calls      | text |
        | more, more |      |
        |            | done |
      When the agent runs
      Then the model is called 2 times
      And the final answer is "done"

  @PLUGIN-18 @clarified
  Rule: A jump to an unknown target fails the run

    Scenario Outline: A jump to an unknown target <hook>
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "pilot" that, <hook>, jumps to "nowhere"
      When the agent runs
      Then the run fails because a jump has an unknown or undeclared target
      And the tool "t1" never runs

      Examples: hooks that can jump
        | hook         |
        | before agent |
        | before model |
        | after model  |

    Scenario: The command of a tool wrapper has an unknown target
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "pilot" that, around tool, returns a command with the text "on" that goes to "nowhere"
      When the agent runs
      Then the run fails because a jump has an unknown or undeclared target
      And the model is called once

    Scenario: The command of a tool has an unknown target
      Given a middleware "pilot" that observes before model
      And "pilot" provides the tools
        | name | goes to |
        | t1   | nowhere |
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then the run fails because a jump has an unknown or undeclared target
      And the model is called once

  @PLUGIN-19 @clarified
  Rule: A run fails if a middleware hook with declared jump targets jumps to another target

    Scenario Outline: A hook declares <declared> and jumps to "<target>"
      Given a middleware "pilot" that, before model, jumps to "<target>"
      And the hooks of "pilot" declare jumps to <declared> only
      When the agent runs
      Then the run fails because a jump has an unknown or undeclared target
      And the model is called 0 times

      Examples: undeclared targets
        | declared         | target |
        | "model"          | end    |
        | "model", "tools" | end    |
        | "end"            | tools  |
        | nothing          | end    |

    Scenario: A hook jumps to the last of two declared targets
      Given a tool "t1" that returns "ok"
      And a model that calls "t1" once before it answers "done"
      And a middleware "pilot" that, after model call 1, jumps to "tools"
      And the hooks of "pilot" declare jumps to "end", "tools" only
      When the agent runs
      Then the final answer is "done"

    Scenario: A hook jumps to a declared target
      Given a middleware "pilot" that, before model, jumps to "end"
      And the hooks of "pilot" declare jumps to "model", "end" only
      When the agent runs
      Then the run succeeds
      And "pilot" is called once before model
      And the model is called 0 times

  @PLUGIN-49 @clarified
  Rule: Building an agent fails if a middleware hook declares an unknown jump target

    Scenario: One known and one unknown target
      Given a middleware "pilot" that observes before model
      And the hooks of "pilot" declare jumps to "end", "nowhere" only
      When the agent runs
      Then building the agent fails because a jump has an unknown or undeclared target

    Scenario: A known target alone
      Given a middleware "pilot" that observes before model
      And the hooks of "pilot" declare jumps to "end" only
      When the agent runs
      Then the run succeeds
      And the model is called once

  @PLUGIN-20 @clarified
  Rule: A jump from an after-agent hook fails the run

    Scenario Outline: A jump to "<target>" after the agent
      Given a middleware "pilot" that, after agent, jumps to "<target>"
      When the agent runs
      Then the run fails because a jump has an unknown or undeclared target
      And the model is called once

      Examples: each target
        | target |
        | model  |
        | tools  |
        | end    |

  @PLUGIN-22 @clarified
  Rule: A run whose middleware hooks always jump fails at the iteration limit

    Scenario: A jump to the model after each answer
      Given an iteration limit of 3
      And a model that answers
        | text  |
        | one   |
        | two   |
        | three |
        | four  |
      And a middleware "critic" that, after model, jumps to "model"
      When the agent runs
      Then the run fails because the iteration limit is reached
      And the model is called 3 times

    Scenario: A jump that skips each model call
      Given an iteration limit of 3
      And a middleware "pilot" that, before model, jumps to "tools"
      When the agent runs
      Then the run fails because the iteration limit is reached
      And "pilot" is called 3 times before model
      And the model is called 0 times

  @PLUGIN-23 @clarified
  Rule: A jump to the end with an empty conversation fails the run

    Scenario: A before-model hook removes all messages
      Given a middleware "pilot" that, before model, removes all messages; jumps to "end"
      When the agent runs
      Then the run fails because nothing was returned
      And the model is called 0 times

    Scenario: A before-model hook leaves one message
      Given a middleware "pilot" with the actions
        | hook         | action                                                          |
        | before model | replaces all messages with the user message "x"; jumps to "end" |
      When the agent runs
      Then the run succeeds
      And "pilot" is called once before model
      And the model is called 0 times
