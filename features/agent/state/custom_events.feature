Feature: Events that handlers send
  A handler can put an event of its own into the stream of its run, to say how
  far it has come or what it has found. The event stands where it was sent:
  behind what has been told before, and before what comes about later. Outside
  of a run there is no stream, and sending fails.

  Background:
    Given a tool "t1" that returns "found"
    And a model that answers
      | text | calls |
      | Look | t1    |
      | Seen |       |

  @EVENT-05 @documented
  Rule: An event that a handler sends stands between what was told before and what is told after

    Scenario Outline: Two events before the second of two model calls, in a <mode> run
      Given a <mode> run
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
        | mode        |
        | synchronous |
        | streaming   |

  @EVENT-08 @documented
  Rule: Events can be sent in all hooks and wrappers behind the hook before the agent

    Scenario Outline: Sent <hook>, in a <mode> run
      Given a <mode> run
      And a handler "H1" that, <hook>, sends the event "note"
      When the agent runs
      Then <hook>, "H1" is refused nothing
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

    Scenario Outline: Sent around a tool that is <kind>
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
      Then around tool, "H1" is refused nothing
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

  @EVENT-09 @derived
  Rule: An event that is sent after the agent comes behind the final answer

    Scenario Outline: Sent after the agent, in a <mode> run
      Given a <mode> run
      And a handler "H1" that, after agent, sends the event "goodbye"
      When the agent runs
      Then the events are
        | content |
        | Look    |
        | found   |
        | Seen    |
        | goodbye |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @EVENT-12 @documented
  Rule: Sending an event outside of a run is an error

    Scenario: No run goes on
      When sending an event is tried outside of any run
      Then sending an event is refused

  @EVENT-13 @derived
  Rule: What is sent before and around a call comes before its own event, and what is sent after it comes behind

    Scenario Outline: Around the first model call of a <mode> run
      Given a <mode> run
      And a handler "H1" that does
        | hook                | deed                                                               |
        | before model call 1 | sends the event "before"                                           |
        | around model call 1 | sends the event "into"; calls further in; sends the event "out of" |
        | after model call 1  | sends the event "after"                                            |
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
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: Around the tool call of a <mode> run
      Given a <mode> run
      And a handler "H1" that does
        | hook                | deed                                                               |
        | after model call 1  | sends the event "asked for"                                        |
        | around tool         | sends the event "into"; calls further in; sends the event "out of" |
        | before model call 2 | sends the event "known"                                            |
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
        | mode        |
        | synchronous |
        | streaming   |

  @EVENT-14 @clarified
  Rule: Events that a tool sends come before its result

    Scenario: Two events from within a tool
      Given the tools
        | name | returns | does                                           |
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
  Rule: Events can be sent before the agent, and come first

    Scenario Outline: Sent before the agent, in a <mode> run
      Given a <mode> run
      And a handler "H1" that, before agent, sends the event "hello"
      When the agent runs
      Then before agent, "H1" is refused nothing
      And the events are
        | content |
        | hello   |
        | Look    |
        | found   |
        | Seen    |

      Examples:
        | mode        |
        | synchronous |
        | streaming   |
