Feature: Resuming inside a sub-agent
  A sub-agent is an agent that is a tool of another agent, the outer agent. A tool of the sub-agent can interrupt the
  run. The checkpoint of the run contains the state of the sub-agent, so a resumed run continues inside it.

  Background:
    Given the conversation
      | role | content |
      | user | Hello   |
    And the tools
      | name | returns | interrupts |
      | t1   | asked   | yes        |
      | t2   | found   |            |

  @INTERRUPT-04 @clarified
  Rule: Resuming a run that was interrupted inside a sub-agent continues the sub-agent

    Scenario: A tool of the sub-agent receives an answer
      Given a model that answers
        | text | calls                       |
        | Ask  | helper({"request": "Help"}) |
        | Seen |                             |
      And the caller resumes the tool "inner" with "yes"
      And a sub-agent "helper"
      And the tools
        | name  | returns | interrupts |
        | inner | helped  | yes        |
      And a model that answers
        | text | calls |
        | Hm   | inner |
        | Here |       |
      When the agent runs and is resumed
      Then the trace of run 2 has, in this order
        """
        tool inner
        model helper's
        model
        """
      And call 2 of the tool "inner" receives the resume data "yes"
      And "model helper's" is called 2 times
      And "model" is called 2 times
      And the final answer of run 2 is "Seen"

    Scenario: A tool of a sub-agent's own sub-agent receives an answer
      Given a model that answers
        | text | calls                       |
        | Ask  | helper({"request": "Help"}) |
        | Seen |                             |
      And the caller resumes the tool "inner" with "yes"
      And a sub-agent "helper"
      And a model that answers
        | text | calls                       |
        | Hm   | expert({"request": "Help"}) |
        | Here |                             |
      And a sub-agent "expert"
      And the tools
        | name  | returns | interrupts |
        | inner | helped  | yes        |
      And a model that answers
        | text | calls |
        | Well | inner |
        | So   |       |
      When the agent runs and is resumed
      Then call 2 of the tool "inner" receives the resume data "yes"
      And the final answer of run 2 is "Seen"

    Scenario: A second tool of the sub-agent interrupts the resumed run
      Given a model that answers
        | text | calls                       |
        | Ask  | helper({"request": "Help"}) |
        | Seen |                             |
      And a sub-agent "helper"
      And the tools
        | name  | returns | interrupts |
        | inner | one     | yes        |
        | other | two     | yes        |
      And a model that answers
        | text | calls |
        | Hm   | inner |
        | So   | other |
        | Here |       |
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 2 is interrupted
      And "model helper's" is called 3 times
      And the final answer of run 3 is "Seen"

    Scenario: Two calls of one sub-agent receive different answers
      Given the caller resumes the call "x" with "yes"
      And the caller resumes the call "y" with "no"
      And tool calls run sequentially
      And a model that answers
        | text | calls                                                            |
        | Ask  | helper({"request": "One"}) as a, helper({"request": "Two"}) as b |
        | Seen |                                                                  |
      And a sub-agent "helper"
      And the tools
        | name  | returns | interrupts |
        | inner | helped  | yes        |
      And a model that answers
        | text | calls      |
        | Hm   | inner as x |
        | Hm   | inner as y |
        | Here |            |
        | Here |            |
      When the agent runs and is resumed
      Then in run 2, the call "x" receives the resume data "yes"
      And in run 2, the call "y" receives the resume data "no"
      And the final answer of run 2 is "Seen"

    Scenario: A sub-agent of a sub-agent was interrupted
      Given a model that answers
        | text | calls                       |
        | Ask  | middle({"request": "Help"}) |
        | Seen |                             |
      And the caller resumes the tool "inner" with "yes"
      And a sub-agent "middle"
      And a model that answers
        | text | calls                       |
        | Pass | helper({"request": "Help"}) |
        | Back |                             |
      And a sub-agent "helper"
      And the tools
        | name  | returns | interrupts |
        | inner | helped  | yes        |
      And a model that answers
        | text | calls |
        | Hm   | inner |
        | Here |       |
      When the agent runs and is resumed
      Then the trace of run 2 has, in this order
        """
        tool inner
        model helper's
        model middle's
        model
        """
      And call 2 of the tool "inner" receives the resume data "yes"
      And "model helper's" is called 2 times
      And "model middle's" is called 2 times
      And "model" is called 2 times
      And the final answer of run 2 is "Seen"

    Scenario: A tool of a sub-agent with agentic messages
      Given the messages are agentic
      And a sub-agent "helper"
      And an input schema without properties
      And the tools
        | name  | returns | interrupts |
        | inner | one     | yes        |
      And a model that answers
        | text   | calls |
        |        | inner |
        | helped |       |
      And an outer agent
      And a model that answers
        | calls  | text |
        | helper |      |
        |        | done |
      When the agent runs and is resumed
      Then the trace of run 2 has, in this order
        """
        tool inner
        model helper's
        model
        """
      And "model helper's" is called 2 times
      And "model" is called 2 times
      And model call 4 contains the message "helped"
