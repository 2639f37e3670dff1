Feature: Custom events
  A handler can send an event of its own into the event stream of its run, for example to report progress. Custom events
  and the events of the agent form one stream. Outside a run there is no stream.

  Background:
    Given a tool "t1" that returns "found"

  @EVENT-05 @derived
  Rule: A custom event follows the events of completed calls and precedes the events of later calls

    @axis:message-events=<messages>
    Scenario Outline: Two custom events before the second model call of a <mode> run
      Given a <mode> run
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, before model call 2, sends the event "one"; sends the event "two"
      When the agent runs
      Then the events are
        | content |
        | Look    |
        | found   |
        | one     |
        | two     |
        | Seen    |

      Examples:
        | mode        | messages       |
        | synchronous | as-they-happen |
        | streaming   |                |

    Scenario: A custom event before the second model call, in the second of two equal streaming runs
      Given a streaming run
      And a session in which "mood" is ""
      And tool calls run sequentially
      And the tools
        | name | returns | actions                        |
        | t2   |         | reads the session value "mood" |
      And a model that answers
        | text | calls            |
        | Look | t1 as a, t2 as b |
        | Seen |                  |
      And a handler "H0" that observes around tool
      And a handler "H1" that, before model call 2, sends the event "one"
      When the agent runs twice
      Then the events of run 2 are
        | content |
        | Look    |
        | found   |
        |         |
        | one     |
        | Seen    |

  @EVENT-08 @documented
  Rule: Custom events can be sent in every hook and wrapper after the before-agent hook

    Scenario Outline: Sent <hook>, in a <mode> run
      Given a <mode> run
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, <hook>, sends the event "note"
      When the agent runs
      Then <hook>, no action of "H1" fails
      And in any order, the events are
        | content |
        | Look    |
        | found   |
        | Seen    |
        | note    |

      Examples:
        | hook                | mode        |
        | before model call 1 | synchronous |
        | around model call 1 | synchronous |
        | around model call 2 | streaming   |
        | after model call 1  | synchronous |
        | after model call 2  | streaming   |
        | around tool         | synchronous |
        | after agent         | streaming   |

    Scenario Outline: Sent in the wrapper of a tool that is <kind>
      Given a <mode> run
      And the tools
        | name | kind   | returns | parts |
        | t2   | <kind> | found   | found |
      And a model that answers
        | text | calls |
        | Look | t2    |
        | Seen |       |
      And a handler "H1" that, around tool, sends the event "note"
      When the agent runs
      Then around tool, no action of "H1" fails
      And in any order, the events are
        | content |
        | Look    |
        | found   |
        | Seen    |
        | note    |

      Examples:
        | kind                | mode        |
        | streamable          | streaming   |
        | enhanced invokable  | synchronous |
        | enhanced streamable | streaming   |

    @axis:nesting
    Scenario: Sent around each attempt of a model call, one of which breaks after a chunk
      Given a streaming run
      And failed model calls are retried at most 2 times
      And a model that answers
        | chunks | fails with | after chunks |
        |        | busy       |              |
        | he/llo | busy       | 1            |
        | go/od  |            |              |
      And a handler "H1" that, around model, sends the event "note"
      When the agent runs
      Then around model call 3, no action of "H1" fails
      And in any order, the events are
        | content |
        | he      |
        | good    |
        | note    |
        | note    |
        | note    |

  @EVENT-09 @derived
  Rule: A custom event sent in an after-agent hook follows the final answer

    @axis:message-events=<messages>
    Scenario Outline: Sent at the end of a <mode> run
      Given a <mode> run
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, after agent, sends the event "goodbye"
      When the agent runs
      Then the events are
        | content |
        | Look    |
        | found   |
        | Seen    |
        | goodbye |

      Examples:
        | mode        | messages       |
        | synchronous | as-they-happen |
        | streaming   |                |

  @EVENT-12 @documented
  Rule: Sending a custom event outside a run is an error

    Scenario: No run is active
      When sending an event is tried outside a run
      Then outside a run, sending an event fails

    Scenario: A run is active
      Given a handler "H1" that, before model, sends the event "hello"
      When the agent runs
      Then in any order, the events are
        | content |
        | hello   |
        | done    |

  @EVENT-13 @derived
  Rule: A custom event sent before or during a model call or tool call precedes the event of the call

    @axis:nesting @axis:answer-event=<answer> @axis:message-events=<messages>
    Scenario Outline: Before, during and after the first model call of a <mode> run
      Given a <mode> run
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" with the actions
        | hook                | action                                                                   |
        | before model call 1 | sends the event "before"                                                 |
        | around model call 1 | sends the event "into"; calls the next handler; sends the event "out of" |
        | after model call 1  | sends the event "after"                                                  |
      When the agent runs
      Then the events are
        | content |
        | before  |
        | into    |
        | out of  |
        | Look    |
        | after   |
        | found   |
        | Seen    |

      Examples:
        | mode        | answer       | messages       |
        | synchronous | before-hooks | as-they-happen |
        | streaming   |              |                |

    @axis:answer-event=<answer> @axis:message-events=<messages>
    Scenario Outline: Before, during and after the tool call of a <mode> run
      Given a <mode> run
      And a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" with the actions
        | hook                | action                                                                   |
        | after model call 1  | sends the event "asked for"                                              |
        | around tool         | sends the event "into"; calls the next handler; sends the event "out of" |
        | before model call 2 | sends the event "known"                                                  |
      When the agent runs
      Then the events are
        | content   |
        | Look      |
        | asked for |
        | into      |
        | out of    |
        | found     |
        | known     |
        | Seen      |

      Examples:
        | mode        | answer       | messages       |
        | synchronous | before-hooks | as-they-happen |
        | streaming   |              |                |

  @EVENT-14 @clarified
  Rule: Custom events sent by a tool, where supported, precede the event of the tool's result

    @axis:message-events
    Scenario: A tool sends two custom events
      Given the tools
        | name | returns | actions                                        |
        | t2   | found   | sends the event "25 %"; sends the event "75 %" |
      And a model that answers
        | text | calls |
        | Look | t2    |
        | Seen |       |
      When the agent runs
      Then the events are, with all custom ones or none
        | event   | content |
        | message | Look    |
        | custom  | 25 %    |
        | custom  | 75 %    |
        | message | found   |
        | message | Seen    |

  @EVENT-18 @clarified
  Rule: Custom events sent in a before-agent hook are the first events of the run

    Scenario: Sent at the start of a run
      Given a model that answers
        | text | calls |
        | Look | t1    |
        | Seen |       |
      And a handler "H1" that, before agent, sends the event "hello"
      When the agent runs
      Then before agent, no action of "H1" fails
      And the events are
        | content |
        | hello   |
        | Look    |
        | found   |
        | Seen    |
