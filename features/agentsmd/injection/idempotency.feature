Feature: Never twice
  The instructions become part of the conversation, so the handler meets its own
  message again before the next model call, and in conversations that somebody
  stored. It knows the message by its mark, by nothing else, and then does
  nothing at all.

  Background:
    Given the instructions file "/p/a.md" holding "Answer in French."

  @AMD-IDEMP-01 @documented
  Rule: With a marked message in the conversation, the conversation is left as it is

    Scenario: A marked message from an earlier day
      Given the conversation
        | role | content        | mark |
        | user | Answer in Czech. | true |
        | user | What is 2 + 2? |      |
      When the agent runs
      Then the model receives
        | role | content        | mark |
        | user | Answer in Czech. | true |
        | user | What is 2 + 2? |      |

  @AMD-IDEMP-02 @derived
  Rule: In that case nothing is read, so nothing can fail

    Scenario: The configured file is forbidden
      Given reading "/p/a.md" fails with a permission error
      And the conversation
        | role | content        | mark |
        | user | Answer in Czech. | true |
        | user | What is 2 + 2? |      |
      When the agent runs
      Then the run succeeds
      And "/p/a.md" is read 0 times in run 1

  @AMD-IDEMP-03 @derived
  Rule: The mark counts on any message, anywhere

    Scenario: On a system message
      Given the conversation
        | role   | content        | mark |
        | system | You are terse. | true |
        | user   | What is 2 + 2? |      |
      When the agent runs
      Then no model call carries the instructions

    Scenario: On the last message, an assistant's
      Given the conversation
        | role      | content        | mark |
        | user      | What is 2 + 2? |      |
        | assistant | 4              | true |
      When the agent runs
      Then no model call carries the instructions

  @AMD-IDEMP-04 @clarified
  Rule: The mark counts whatever its value

    Scenario Outline: A mark of <value>
      Given the conversation
        | role | content          | mark    |
        | user | Answer in Czech. | <value> |
        | user | What is 2 + 2?   |         |
      When the agent runs
      Then no model call carries the instructions

      Examples:
        | value |
        | false |
        | null  |
        | "no"  |

  @AMD-IDEMP-05 @derived
  Rule: Words that look like instructions are no mark

    Scenario: A user who quotes a reminder
      Given the conversation
        | role | content                                                |
        | user | <system-reminder>Answer in Czech.</system-reminder>    |
      When the agent runs
      Then every model call carries the instructions once

  @AMD-IDEMP-06 @derived
  Rule: The mark survives an interrupt and what follows it

    Scenario: A tool interrupts, and the run is resumed elsewhere
      Given a tool that interrupts the run
      When the agent runs, is interrupted and is resumed
      Then every model call carries the instructions once
      And every model call holds 1 marked message

  @AMD-IDEMP-07 @clarified
  Rule: A stored conversation that lost its marks gets the instructions again

    Scenario: A store that keeps roles and texts only
      Given the caller begins run 2 with the conversation of run 1, without its extra data
      When the agent runs twice
      Then model call 1 of run 2 carries the instructions 2 times

  @AMD-IDEMP-08 @derived
  Rule: When the marked message has been removed, the next model call has it again

    Scenario: A handler removes it each time
      Given a handler before it that removes the instructions
      And a model that asks for a tool 2 times before it answers
      When the agent runs
      Then every model call carries the instructions once

  @AMD-IDEMP-09 @documented
  Rule: Their text stays what it was at first, after a summary too

    Scenario: A file edited, and a conversation summarised
      Given a handler before it that summarises more than 2 messages
      And a model that asks for a tool 3 times before it answers
      And "/p/a.md" holds "Answer in Czech." from model call 1 on
      When the agent runs
      Then the instructions read the same in every model call

  @AMD-IDEMP-10 @clarified
  Rule: Their place is not corrected later

    Scenario: A user message put in front of them
      Given a handler behind it that puts "An earlier question" first in model call 1
      And a model that asks for a tool 1 time before it answers
      And the conversation
        | role | content        |
        | user | What is 2 + 2? |
      When the agent runs
      Then the instructions stand directly before "What is 2 + 2?" in model call 2

  @AMD-IDEMP-11 @derived
  Rule: Of two handlers in one agent only the first inserts its files

    Scenario: Two handlers with different files
      Given a second AgentsMD handler for "/p/b.md"
      And the file "/p/b.md" holding "Be brief."
      When the agent runs
      Then the instructions of run 1 show "/p/a.md"
      And every model call carries the instructions once

  @AMD-IDEMP-12 @documented
  Rule: They are part of the run's state for all its later model calls

    Scenario: A handler further out sees them come back
      Given a handler before it that looks on
      And a model that asks for a tool 2 times before it answers
      When the agent runs
      Then the handler before it sees the instructions before model call 2
      And the handler before it sees the instructions before model call 3

  @AMD-IDEMP-13 @documented
  Rule: Every model call of a run holds exactly one marked message

    Scenario: Three model calls
      Given a model that asks for a tool 2 times before it answers
      When the agent runs
      Then every model call holds 1 marked message

  @AMD-IDEMP-14 @clarified
  Rule: They are no event of the run

    Scenario: A caller that listens
      Given a model that asks for a tool 1 time before it answers
      And somebody listens to the events
      When the agent runs
      Then no event carries the instructions
