Feature: What wrappers around tools are for
  Between the model that asks for a tool and the tool there may be middlewares:
  they check who may do what, count calls and refuse too many, tidy up results.
  Instead of a result they may return a command, which also changes the state of
  the middleware or says where the run goes on.

  @XP-WRAP-10 @documented
  Rule: A wrapper may deny a tool call: the tool does not run, and the call gets the wrapper's result

    Scenario: The only call is denied
      Given the conversation
        | role | content |
        | user | Hello   |
      And a tool "delete" that returns "deleted"
      And a model that answers
        | calls            | text |
        | delete as call D |      |
        |                  | done |
      And a middleware "guard" that, around tool, answers "you may not" itself
      When the agent runs
      Then the tool "delete" never runs
      And model call 2 receives
        | role      | content     | calls  | call id |
        | user      | Hello       |        |         |
        | assistant |             | delete |         |
        | tool      | you may not |        | call D  |
      And the final answer is "done"

    Scenario: One of two calls of an answer is denied
      Given the tools
        | name    | returns |
        | delete  | deleted |
        | weather | sunny   |
      And a model that answers
        | calls           | text |
        | delete, weather |      |
        |                 | done |
      And a middleware "guard" that, around tool "delete", answers "you may not" itself
      When the agent runs
      Then the tool "delete" never runs
      And the tool "weather" runs once
      And in any order, model call 2 receives the results
        | content     | call id |
        | you may not | call 1  |
        | sunny       | call 2  |
      And the final answer is "done"

  @XP-WRAP-11 @documented
  Rule: What a wrapper makes of a tool's result is the result that the conversation holds

    Scenario: A source is added to the result
      Given the conversation
        | role | content |
        | user | Hello   |
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "source" that, around tool, adds ", says Ann" to the answer
      And a middleware "watch" that looks on after agent
      When the agent runs
      Then around tool, "source" gets the answer "sunny"
      And model call 2 receives
        | role      | content         |
        | user      | Hello           |
        | assistant |                 |
        | tool      | sunny, says Ann |
      And after agent, "watch" sees the messages
        | role      | content         |
        | user      | Hello           |
        | assistant |                 |
        | tool      | sunny, says Ann |
        | assistant | done            |

    Scenario: Another text takes the place of the result
      Given the conversation
        | role | content |
        | user | Hello   |
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "censor" that, around tool, calls further in; answers "(left out)" itself
      When the agent runs
      Then the tool "weather" runs once
      And model call 2 receives
        | role      | content    |
        | user      | Hello      |
        | assistant |            |
        | tool      | (left out) |

  @XP-WRAP-19 @documented
  Rule: A wrapper may let a tool run so many times and no more

    Scenario: Two of four calls are allowed
      Given the conversation
        | role | content |
        | user | Hello   |
      And a tool "weather" that returns "sunny"
      And a model that calls "weather" 4 times before it answers "done"
      And a middleware "limit" that does
        | hook               | deed                               |
        | around tool call 3 | answers "no more for today" itself |
        | around tool call 4 | answers "no more for today" itself |
      When the agent runs
      Then the tool "weather" runs 2 times
      And model call 5 receives
        | role      | content           |
        | user      | Hello             |
        | assistant |                   |
        | tool      | sunny             |
        | assistant |                   |
        | tool      | sunny             |
        | assistant |                   |
        | tool      | no more for today |
        | assistant |                   |
        | tool      | no more for today |
      And the final answer is "done"

    Scenario: As many calls as are allowed
      Given a tool "weather" that returns "sunny"
      And a model that calls "weather" 2 times before it answers "done"
      And a middleware "limit" that does
        | hook               | deed                               |
        | around tool call 3 | answers "no more for today" itself |
        | around tool call 4 | answers "no more for today" itself |
      When the agent runs
      Then the tool "weather" runs 2 times
      And the final answer is "done"

  @XP-WRAP-13 @clarified
  Rule: When a wrapper turns an error of a tool into a result, the run goes on with it

    Scenario: The tool fails
      Given the conversation
        | role | content |
        | user | Hello   |
      And the tools
        | name    | fails with |
        | weather | offline    |
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "net" that, around tool, calls further in and answers "unknown" if that fails
      When the agent runs
      Then model call 2 receives
        | role      | content | call id |
        | user      | Hello   |         |
        | assistant |         |         |
        | tool      | unknown | call 1  |
      And the final answer is "done"

    Scenario: The tool succeeds
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "net" that, around tool, calls further in and answers "unknown" if that fails
      When the agent runs
      Then in any order, model call 2 receives the results
        | content | call id |
        | sunny   | call 1  |

  @XP-WRAP-12 @documented
  Rule: A wrapper around a tool may return a command, which changes the state of its middleware

    Scenario: The tool's result becomes part of a command
      Given the conversation
        | role | content |
        | user | Hello   |
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "ledger" that, around tool, makes the answer a command that sets the state "spent" to 7
      And a middleware "ledger" that looks on before model
      And the state of "ledger" has the fields
        | field | type   |
        | spent | number |
      When the agent runs
      Then the tool "weather" runs once
      And before model call 1, "ledger" sees no "spent" in its state
      And before model call 2, "ledger" sees the state {"spent": 7}
      And model call 2 receives
        | role      | content | call id |
        | user      | Hello   |         |
        | assistant |         |         |
        | tool      | sunny   | call 1  |
      And afterwards the state holds {"spent": 7}

    Scenario: A command takes the place of the tool
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "ledger" that, around tool, returns a command with the text "too dear" that sets the state "spent" to 7
      And the state of "ledger" has the fields
        | field | type   |
        | spent | number |
      When the agent runs
      Then in any order, model call 2 receives the results
        | content  |
        | too dear |
      And afterwards the state holds {"spent": 7}

  @XP-WRAP-20 @clarified
  Rule: A command of a tool call that goes to the end ends the run

    Scenario: A wrapper has made the tool's result a command
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text   |
        | weather |        |
        |         | unused |
      And a middleware "stopper" that, around tool, makes the answer a command that goes to "end"
      When the agent runs
      Then the run succeeds
      And the tool "weather" runs once
      And the model is called once

    Scenario: A wrapper returns a command in the tool's place
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text   |
        | weather |        |
        |         | unused |
      And a middleware "stopper" that, around tool, returns a command with the text "stop" that goes to "end"
      When the agent runs
      Then the run succeeds
      And the model is called once

    Scenario: A tool that a middleware brings returns the command
      Given a middleware "stopper" without hooks
      And "stopper" brings the tools
        | name | returns | goes to |
        | stop | stopped | end     |
      And a model that answers
        | calls | text   |
        | stop  |        |
        |       | unused |
      When the agent runs
      Then the run succeeds
      And the tool "stop" runs once
      And the model is called once

    Scenario: A command that goes to the model
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "stopper" that, around tool, makes the answer a command that goes to "model"
      When the agent runs
      Then the model is called 2 times
      And the final answer is "done"
