Feature: Approvals
  A person can have to approve a tool call before it is made. The run stops at such a call, and its caller resumes it with
  a decision: approved, approved with other arguments, or denied. Frameworks call this human in the loop, a confirmation,
  or a deferred tool.

  @STOP-08 @clarified
  Rule: A tool call that needs approval is not made before a person has approved it

    Scenario Outline: The only call of an answer waits, in a <mode> run
      Given a <mode> run
      And the tools
        | name | needs approval |
        | t1   | yes            |
      And a model that answers
        | calls | text |
        | t1    |      |
        |       | done |
      When the agent runs
      Then run 1 is interrupted by t1
      And the tool "t1" never runs

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario: A call of a later answer waits
      Given the tools
        | name | needs approval |
        | t1   | yes            |
        | t2   |                |
      And a model that answers
        | calls | text |
        | t2    |      |
        | t1    |      |
        |       | done |
      When the agent runs
      Then run 1 is interrupted by t1
      And the tool "t1" never runs
      And the tool "t2" runs once

    Scenario: Two calls of one answer wait
      Given the tools
        | name | needs approval |
        | t1   | yes            |
        | t2   | yes            |
      And a model that answers
        | calls  | text |
        | t1, t2 |      |
        |        | done |
      When the agent runs
      Then run 1 is interrupted by t1, t2
      And the tool "t1" never runs
      And the tool "t2" never runs

  @STOP-09 @clarified
  Rule: An approved tool call is made once, with the arguments of the model

    Scenario Outline: The only call of an answer is approved, in a <mode> run
      Given a <mode> run
      And the tools
        | name | returns | needs approval |
        | t1   | sunny   | yes            |
      And a model that answers
        | calls                     | text |
        | t1({"city": "Rome"}) as a |      |
        |                           | done |
      And the caller approves the call "a"
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And call 1 of the tool "t1" receives the arguments "{"city": "Rome"}"
      And model call 2 contains the message "sunny"
      And the final answer of run 2 is "done"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

    Scenario Outline: The only call of a tool that is <kind> is approved
      Given a streaming run
      And the tools
        | name | kind   | parts | needs approval |
        | t1   | <kind> | sunny | yes            |
      And a model that answers
        | calls                     | text |
        | t1({"city": "Rome"}) as a |      |
        |                           | done |
      And the caller approves the call "a"
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And call 1 of the tool "t1" receives the arguments "{"city": "Rome"}"

      Examples:
        | kind                |
        | streamable          |
        | enhanced invokable  |
        | enhanced streamable |

    Scenario: Two calls of one tool are approved
      Given the tools
        | name | needs approval |
        | t1   | yes            |
      And a model that answers
        | calls                                                | text |
        | t1({"city": "Rome"}) as a, t1({"city": "Oslo"}) as b |      |
        |                                                      | done |
      And the caller approves the call "a"
      And the caller approves the call "b"
      When the agent runs and is resumed
      Then the tool "t1" runs 2 times
      And in model call 2, each tool call has one result
      And the final answer of run 2 is "done"

    Scenario: The approved call fails
      Given the tools
        | name | fails with | needs approval |
        | t1   | no luck    | yes            |
      And a model that answers
        | calls   | text |
        | t1 as a |      |
        |         | done |
      And the caller approves the call "a"
      When the agent runs and is resumed
      Then the tool "t1" runs once

  @STOP-10 @clarified
  Rule: A denied tool call is not made

    Scenario Outline: The only call of an answer is denied, in a <mode> run
      Given a <mode> run
      And the tools
        | name | needs approval |
        | t1   | yes            |
      And a model that answers
        | calls   | text |
        | t1 as a |      |
        |         | done |
      And the caller denies the call "a" because "not today"
      When the agent runs and is resumed
      Then the tool "t1" never runs
      And the final answer of run 2 is "done"

      Examples:
        | mode        |
        | synchronous |
        | streaming   |

  @STOP-11 @clarified
  Rule: A denied tool call has one result, which says why

    Scenario: The next model call after a denial
      Given the tools
        | name | needs approval |
        | t1   | yes            |
      And a model that answers
        | calls   | text |
        | t1 as a |      |
        |         | done |
      And the caller denies the call "a" because "not today"
      When the agent runs and is resumed
      Then in model call 2, each tool call has one result
      And every model call of run 2 contains the text "not today"

    Scenario Outline: The next model call after the denial of a call of a tool that is <kind>
      Given a streaming run
      And the tools
        | name | kind   | parts | needs approval |
        | t1   | <kind> | sunny | yes            |
      And a model that answers
        | calls   | text |
        | t1 as a |      |
        |         | done |
      And the caller denies the call "a" because "not today"
      When the agent runs and is resumed
      Then in model call 2, each tool call has one result
      And every model call of run 2 contains the text "not today"

      Examples:
        | kind                |
        | streamable          |
        | enhanced invokable  |
        | enhanced streamable |

  @STOP-12 @clarified
  Rule: A decision about a tool call does not apply to another call of the same answer

    Scenario Outline: Of two calls of one tool, <approved> is approved and <denied> is denied
      Given the tools
        | name | needs approval |
        | t1   | yes            |
      And a model that answers
        | calls                                                | text |
        | t1({"city": "Rome"}) as a, t1({"city": "Oslo"}) as b |      |
        |                                                      | done |
      And the caller approves the call "<approved>"
      And the caller denies the call "<denied>" because "not today"
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And call 1 of the tool "t1" receives the arguments "<arguments>"
      And in model call 2, each tool call has one result
      And the final answer of run 2 is "done"

      Examples:
        | approved | denied | arguments        |
        | a        | b      | {"city": "Rome"} |
        | b        | a      | {"city": "Oslo"} |

    Scenario: Of two tools, the first is denied
      Given the tools
        | name | needs approval |
        | t1   | yes            |
        | t2   | yes            |
      And a model that answers
        | calls            | text |
        | t1 as a, t2 as b |      |
        |                  | done |
      And the caller approves the call "b"
      And the caller denies the call "a" because "not today"
      When the agent runs and is resumed
      Then the tool "t1" never runs
      And the tool "t2" runs once
      And in model call 2, each tool call has one result

    Scenario: The first of two calls of one tool is still under way when the second is denied
      Given the tools
        | name | needs approval |
        | t1   | yes            |
        | t2   | yes            |
      And a model that answers
        | calls                                                         | text |
        | t1({"city": "Rome"}) as a, t1({"city": "Oslo"}) as b, t2 as c |      |
        |                                                               | done |
      And call 1 of "tool t1" in run 2 waits until call 1 of "tool t2" in run 2 is made
      And the caller approves the call "a"
      And the caller denies the call "b" because "not today"
      And the caller approves the call "c"
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And call 1 of the tool "t1" receives the arguments "{"city": "Rome"}"

  @STOP-13 @clarified
  Rule: The tool calls of an answer that need no approval are made once, whatever is decided about the other calls

    Scenario Outline: A call that needs no approval is the <place> of two, and the other one is approved
      Given the tools
        | name | needs approval |
        | t1   | yes            |
        | t2   |                |
      And a model that answers
        | calls   | text |
        | <calls> |      |
        |         | done |
      And the caller approves the call "a"
      When the agent runs and is resumed
      Then the tool "t1" runs once
      And the tool "t2" runs once
      And in model call 2, each tool call has one result
      And the final answer of run 2 is "done"

      Examples:
        | place  | calls            |
        | first  | t2 as b, t1 as a |
        | second | t1 as a, t2 as b |

    Scenario: The call that needs approval is denied
      Given the tools
        | name | needs approval |
        | t1   | yes            |
        | t2   |                |
      And a model that answers
        | calls            | text |
        | t1 as a, t2 as b |      |
        |                  | done |
      And the caller denies the call "a" because "not today"
      When the agent runs and is resumed
      Then the tool "t1" never runs
      And the tool "t2" runs once
      And in model call 2, each tool call has one result

    Scenario: Tools whose names are parts of each other
      Given the tools
        | name            | needs approval |
        | mail            | yes            |
        | send_mail       |                |
        | mail_all        |                |
        | send_mail_later | yes            |
      And a model that answers
        | calls                                                          | text |
        | send_mail as a, mail as b, send_mail_later as c, mail_all as d |      |
        |                                                                | done |
      And the caller approves the call "b"
      And the caller approves the call "c"
      When the agent runs and is resumed
      Then run 1 is interrupted by mail, send_mail_later
      And the tool "mail" runs once
      And the tool "send_mail" runs once
      And the tool "mail_all" runs once
      And the tool "send_mail_later" runs once
      And in model call 2, each tool call has one result
