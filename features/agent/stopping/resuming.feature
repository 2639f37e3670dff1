Feature: Resuming an interrupted run
  A resumed run is the rest of the interrupted run and not a new run. The interrupted call is repeated first. The
  checkpoint restores the conversation, the tool lists, the mode and the number of model calls. A sub-agent is an agent
  that is a tool of another agent, the outer agent.

  Background:
    Given the conversation
      | role | content |
      | user | Hello   |
    And the tools
      | name | returns | interrupts |
      | t1   | asked   | yes        |
      | t2   | found   |            |

  @INTERRUPT-02 @clarified
  Rule: A resumed run starts by repeating the interrupted call with the state that the call saved

    Scenario Outline: One interrupted tool call in a <mode> run
      Given a <mode> run
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      When the agent runs and is resumed
      Then the trace of run 2 is
        """
        tool t1
        model
        """
      And call 2 of the tool "t1" receives its saved state
      And model call 2 receives
        | role      | content |
        | user      | Hello   |
        | assistant | Look    |
        | tool      | asked   |
      And the events of run 2 are
        | content |
        | asked   |
        | Seen    |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: The caller answers one of two interrupted calls
      Given the tools
        | name | returns | interrupts |
        | t3   | three   | yes        |
      And the caller resumes the tool "t1" with "yes"
      And a model that answers
        | text | calls  |
        | Look | t1, t3 |
        | Seen |        |
      When the agent runs and is resumed
      Then model call 2 receives
        | role      | content |
        | user      | Hello   |
        | assistant | Look    |
        | tool      | asked   |
        | tool      | three   |

    Scenario: Two calls of one tool
      Given a model that answers
        | text | calls            |
        | Look | t1 as a, t1 as b |
        | Seen |                  |
      When the agent runs and is resumed
      Then in run 2, the call "a" receives its saved state
      And in run 2, the call "b" receives its saved state
      And the final answer of run 2 is "Seen"

    Scenario: One tool interrupts the run again after the resumption
      Given a model that answers
        | text | calls   |
        | Look | t1 as a |
        | More | t1 as b |
        | Seen |         |
      When the agent runs, is resumed, and is resumed again from the new stop
      Then in run 2, the call "a" receives its saved state
      And in run 3, the call "b" receives its saved state
      And the final answer of run 3 is "Seen"

    Scenario: The run is cancelled before the interrupted call is repeated
      Given the tools
        | name | returns | interrupts |
        | t3   | three   | yes        |
      And a model that answers
        | text | calls            |
        | Look | t1 as a, t3 as b |
        | Seen |                  |
      And tool calls run sequentially
      And call 1 of "tool t1" in run 2 waits until the run has ended
      And in run 2, a cancel request that takes effect immediately is made when the tool "t1" is called
      When the agent runs, is resumed, and is resumed again from the new stop
      Then in run 3, the call "b" receives its saved state
      And the final answer of run 3 is "Seen"

  @INTERRUPT-03 @clarified
  Rule: The caller's answer to an interrupt reaches the call that interrupted the run

    Scenario: Two tools receive different answers
      Given the tools
        | name | interrupts |
        | t3   | yes        |
      And the caller resumes the tool "t1" with "yes"
      And the caller resumes the tool "t3" with "no"
      And a model that answers
        | text | calls  |
        | Look | t1, t3 |
        | Seen |        |
      When the agent runs and is resumed
      Then call 2 of the tool "t1" receives the resume data "yes"
      And call 2 of the tool "t3" receives the resume data "no"

    Scenario: Two calls of one tool receive different answers
      Given the caller resumes the call "a" with "yes"
      And the caller resumes the call "b" with "no"
      And a model that answers
        | text | calls            |
        | Look | t1 as a, t1 as b |
        | Seen |                  |
      When the agent runs and is resumed
      Then in run 2, the call "a" receives the resume data "yes"
      And in run 2, the call "b" receives the resume data "no"

    Scenario Outline: Two calls whose ids begin alike, the <which> one first, receive different answers
      Given the caller resumes the call "c1" with "yes"
      And the caller resumes the call "c11" with "no"
      And a model that answers
        | text | calls   |
        | Look | <calls> |
        | Seen |         |
      When the agent runs and is resumed
      Then in run 2, the call "c1" receives the resume data "yes"
      And in run 2, the call "c11" receives the resume data "no"

      Examples:
        | which   | calls               |
        | shorter | t1 as c1, t1 as c11 |
        | longer  | t1 as c11, t1 as c1 |

    Scenario Outline: The answer is <what>
      Given the caller resumes the call "a" with the JSON value <value>
      And a model that answers
        | text | calls   |
        | Look | t1 as a |
        | Seen |         |
      When the agent runs and is resumed
      Then in run 2, the call "a" receives the resume data <value> as JSON
      And the final answer of run 2 is "Seen"

      Examples: empty values
        | what            | value |
        | false           | false |
        | zero            | 0     |
        | an empty text   | ""    |
        | an empty list   | []    |
        | an empty object | {}    |

    Scenario Outline: Only the tool "<answered>" receives an answer
      Given the tools
        | name | returns | interrupts |
        | t3   | found   | yes        |
      And the caller resumes the tool "<answered>" with "yes"
      And a model that answers
        | text | calls  |
        | Look | t1, t3 |
        | Seen |        |
      When the agent runs and is resumed
      Then call 2 of the tool "<answered>" receives the resume data "yes"
      And the tool "<other>" runs 2 times
      And model call 2 receives
        | role      | content |
        | user      | Hello   |
        | assistant | Look    |
        | tool      | asked   |
        | tool      | found   |

      Examples:
        | answered | other |
        | t1       | t3    |
        | t3       | t1    |

    Scenario: An empty answer
      Given the caller resumes the tool "t1" with ""
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      When the agent runs and is resumed
      Then call 2 of the tool "t1" receives the resume data ""

  @INTERRUPT-18 @clarified
  Rule: A second resumption from one checkpoint does not depend on the first resumption

    Scenario: The two resumptions have different answers
      Given in run 2, the caller resumes the call "a" with "yes"
      And in run 3, the caller resumes the call "a" with "no"
      And a model that answers
        | text | calls   |
        | Look | t1 as a |
        | Seen |         |
      When the agent runs, is resumed, and is resumed again from the first stop
      Then in run 2, the call "a" receives the resume data "yes"
      And in run 3, the call "a" receives the resume data "no"
      And the final answer of run 3 is "Seen"

    Scenario: Only the first resumption has an answer
      Given in run 2, the caller resumes the call "a" with "yes"
      And a model that answers
        | text | calls   |
        | Look | t1 as a |
        | Seen |         |
      When the agent runs, is resumed, and is resumed again from the first stop
      Then in run 2, the call "a" receives the resume data "yes"
      And in run 3, the call "a" receives the resume data null as JSON

    Scenario: A hook changes the conversation in the first resumption
      Given a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, before model of run 2, adds the user message "Hint."
      When the agent runs, is resumed, and is resumed again from the first stop
      Then model call 3 receives
        | role      | content |
        | user      | Hello   |
        | assistant | Look    |
        | tool      | asked   |

    Scenario: A hook sets a run-local value and a session value in the first resumption
      Given a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" with the actions
        | hook                  | action                                                                     |
        | before model of run 2 | sets the run-local value "k" to "two"; sets the session value "s" to "two" |
        | before model of run 3 | reads the run-local value "k"; reads the session value "s"                 |
      When the agent runs, is resumed, and is resumed again from the first stop
      Then before model of run 3, "H1" finds nothing under "k"
      And before model of run 3, "H1" finds nothing under "s"

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

  @INTERRUPT-07 @clarified
  Rule: A resumed run has the mode of the interrupted run

    Scenario Outline: A <mode> run is resumed
      Given a <mode> run
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      When the agent runs and is resumed
      Then model call 2 is <mode>

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @INTERRUPT-09 @clarified
  Rule: A resumed run continues with the conversation of the interrupted run

    Scenario: A before-agent hook has changed the instruction
      Given an agent with the instruction "Be brief."
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, before agent, adds " And kind." to the instruction
      When the agent runs and is resumed
      Then model call 2 receives
        | role      | content             |
        | system    | Be brief. And kind. |
        | user      | Hello               |
        | assistant | Look                |
        | tool      | asked               |

    @axis:edits-last @axis:instruction-place
    Scenario: A hook has removed the system message before the interrupt
      Given an agent with the instruction "Be brief."
      And a model that answers
        | text | calls |
        | Look | t2    |
        | More | t1    |
        | Seen |       |
      And a handler "H1" that, before model call 2, replaces all messages with the user message "Start again."
      When the agent runs and is resumed
      Then model call 3 receives
        | role      | content      |
        | user      | Start again. |
        | assistant | More         |
        | tool      | asked        |

    Scenario: A run that is resumed twice
      Given the tools
        | name | returns | interrupts |
        | t3   | three   | yes        |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | More | t3    |
        | Seen |       |
      When the agent runs, is resumed, and is resumed again from the new stop
      Then model call 3 receives
        | role      | content |
        | user      | Hello   |
        | assistant | Look    |
        | tool      | asked   |
        | assistant | More    |
        | tool      | three   |

  @INTERRUPT-10 @clarified
  Rule: The model calls before an interrupt count against the iteration limit of the resumed run

    @axis:limit-ends
    Scenario: One of two model calls is left
      Given an iteration limit of 2
      And a model that answers
        | text | calls |
        | Look | t1    |
        | More | t2    |
        | Seen |       |
      When the agent runs and is resumed
      Then run 2 fails because the iteration limit is reached
      And the model is called 2 times

    @axis:limit-ends
    Scenario: The third of three model calls is made before the interrupt
      Given an iteration limit of 3
      And a model that answers
        | text | calls |
        | Look | t2    |
        | More | t2    |
        | Ask  | t1    |
        | Seen |       |
      When the agent runs and is resumed
      Then run 2 fails because the iteration limit is reached
      And the model is called 3 times

    @axis:limit-ends
    Scenario: Two interrupts
      Given an iteration limit of 2
      And the tools
        | name | interrupts |
        | t3   | yes        |
      And a model that answers
        | text | calls |
        | Look | t1    |
        | More | t3    |
        | Seen |       |
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 3 fails because the iteration limit is reached
      And the model is called 2 times

    @axis:limit-ends
    Scenario: Two interrupts inside one call of a sub-agent
      Given an iteration limit of 1
      And a model that answers
        | text | calls                       |
        | Ask  | helper({"request": "Help"}) |
        | Seen |                             |
      And a sub-agent "helper"
      And the tools
        | name  | interrupts |
        | inner | yes        |
        | other | yes        |
      And a model that answers
        | text | calls |
        | Hm   | inner |
        | So   | other |
        | Here |       |
      When the agent runs, is resumed, and is resumed again from the new stop
      Then run 3 fails because the iteration limit is reached
      And "model" is called once

  @INTERRUPT-11 @derived
  Rule: A resumed run keeps the tool lists that hooks changed before the interrupt

    @axis:edits-last
    Scenario: A hook has removed a tool
      Given a model that answers
        | text | calls |
        | Look | t2    |
        | More | t1    |
        | Seen |       |
      And a handler "H1" that, before model call 2, offers the model the tools "t1"
      When the agent runs and is resumed
      Then model call 3 receives the tools "t1"

    @axis:edits-last
    Scenario: A hook has deferred a tool
      Given a model that answers
        | text | calls |
        | Look | t2    |
        | More | t1    |
        | Seen |       |
      And a handler "H1" that, before model call 2, defers the tools "t9"
      When the agent runs and is resumed
      Then model call 3 receives the deferred tools "t9"
