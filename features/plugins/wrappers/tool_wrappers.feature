Feature: Uses of tool wrappers
  A tool wrapper runs between the model and a tool. It can check permissions,
  limit the number of calls or change results. Instead of a plain result, a
  wrapper or a tool of a middleware can return a command: a result that also
  changes the state of the middleware or jumps to another step of the run.

  @XP-WRAP-10 @derived
  Rule: A middleware's tool wrapper can deny a tool call by returning its own result

    Scenario: The only tool call is denied
      Given the conversation
        | role | content |
        | user | Hello   |
      And a tool "delete" that returns "deleted"
      And a model that answers
        | calls            | text |
        | delete as call D |      |
        |                  | done |
      And a middleware "guard" that, around tool, short-circuits with "you may not"
      When the agent runs
      Then the tool "delete" never runs
      And model call 2 receives
        | role      | content     | calls  | call id |
        | user      | Hello       |        |         |
        | assistant |             | delete |         |
        | tool      | you may not |        | call D  |
      And the final answer is "done"

    Scenario: One of two tool calls of an answer is denied
      Given the tools
        | name    | returns |
        | delete  | deleted |
        | weather | sunny   |
      And a model that answers
        | calls           | text |
        | delete, weather |      |
        |                 | done |
      And a middleware "guard" that, around tool "delete", short-circuits with "you may not"
      When the agent runs
      Then the tool "delete" never runs
      And the tool "weather" runs once
      And in any order, model call 2 receives the results
        | content     | call id |
        | you may not | call 1  |
        | sunny       | call 2  |
      And the final answer is "done"

  @XP-WRAP-11 @derived
  Rule: A middleware's tool wrapper can change the tool result that the conversation contains

    Scenario: A source is added to the result
      Given the conversation
        | role | content |
        | user | Hello   |
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "source" that, around tool, appends ", says Ann" to the answer
      And a middleware "watch" that observes after agent
      When the agent runs
      Then around tool, "source" receives the answer "sunny"
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

    Scenario: Another text replaces the result
      Given the conversation
        | role | content |
        | user | Hello   |
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "censor" that, around tool, calls the next handler; short-circuits with "(left out)"
      When the agent runs
      Then the tool "weather" runs once
      And model call 2 receives
        | role      | content    |
        | user      | Hello      |
        | assistant |            |
        | tool      | (left out) |

  @XP-WRAP-19 @derived
  Rule: A middleware's tool wrapper can limit the number of calls of a tool

    Scenario: Two of four calls are allowed
      Given the conversation
        | role | content |
        | user | Hello   |
      And a tool "weather" that returns "sunny"
      And a model that calls "weather" 4 times before it answers "done"
      And a middleware "limit" with the actions
        | hook               | action                                  |
        | around tool call 3 | short-circuits with "no more for today" |
        | around tool call 4 | short-circuits with "no more for today" |
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

    Scenario: No call exceeds the limit
      Given a tool "weather" that returns "sunny"
      And a model that calls "weather" 2 times before it answers "done"
      And a middleware "limit" with the actions
        | hook               | action                                  |
        | around tool call 3 | short-circuits with "no more for today" |
        | around tool call 4 | short-circuits with "no more for today" |
      When the agent runs
      Then the tool "weather" runs 2 times
      And the final answer is "done"

  @XP-WRAP-13 @clarified
  Rule: A run continues with the result that a middleware's tool wrapper returns for a failed tool call

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
      And a middleware "net" that, around tool, calls the next handler and answers "unknown" if it fails
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
      And a middleware "net" that, around tool, calls the next handler and answers "unknown" if it fails
      When the agent runs
      Then in any order, model call 2 receives the results
        | content | call id |
        | sunny   | call 1  |

  @XP-WRAP-12 @derived
  Rule: A command that a middleware's tool wrapper returns changes the state of the middleware

    Scenario: A command with the result of the tool
      Given the conversation
        | role | content |
        | user | Hello   |
      And a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "ledger" with the actions
        | hook         | action                                                           |
        | around tool  | turns the answer into a command that sets the state "spent" to 7 |
        | before model | observes                                                         |
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
      And afterwards the state includes {"spent": 7}

    Scenario: A command instead of the tool call
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
      And afterwards the state includes {"spent": 7}

    Scenario: A command that also jumps to the model
      Given a middleware "ledger" that observes around tool
      And the state of "ledger" has the fields
        | field | type   |
        | spent | number |
      And "ledger" provides the tools
        | name | returns | sets         | goes to |
        | buy  | bought  | {"spent": 7} | model   |
      And a model that answers
        | calls | text |
        | buy   |      |
        |       | done |
      When the agent runs
      Then the final answer is "done"
      And afterwards the state includes {"spent": 7}

  @XP-WRAP-20 @clarified
  Rule: A command that a tool call returns ends the run if its target is the end

    Scenario: A wrapper adds the jump to the result of the tool
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text   |
        | weather |        |
        |         | unused |
      And a middleware "stopper" that, around tool, turns the answer into a command that goes to "end"
      When the agent runs
      Then the run succeeds
      And the tool "weather" runs once
      And the model is called once

    Scenario: A wrapper returns the command instead of calling the tool
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text   |
        | weather |        |
        |         | unused |
      And a middleware "stopper" that, around tool, returns a command with the text "stop" that goes to "end"
      When the agent runs
      Then the run succeeds
      And the model is called once

    Scenario: A tool of a middleware returns the command
      Given a middleware "stopper" without hooks
      And "stopper" provides the tools
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

    Scenario: The command jumps to the model
      Given a tool "weather" that returns "sunny"
      And a model that answers
        | calls   | text |
        | weather |      |
        |         | done |
      And a middleware "stopper" that, around tool, turns the answer into a command that goes to "model"
      When the agent runs
      Then the model is called 2 times
      And the final answer is "done"

  @PLUGIN-34 @clarified
  Rule: A command that tool wrappers return unchanged applies to the middleware that provides the tool

    Scenario: A wrapper of another middleware
      Given a middleware "A" that observes around tool
      And a middleware "B" that observes before model
      And the state of "B" has the fields
        | field | type   |
        | n     | number |
      And "B" provides the tools
        | name | returns | sets     |
        | t1   | hi      | {"n": 1} |
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then afterwards the state includes {"n": 1}
      And model call 2 contains the message "hi"

    Scenario: A wrapper of another middleware and one of the same middleware
      Given a middleware "A" that observes around tool
      And a middleware "B" that observes around tool
      And the state of "B" has the fields
        | field | type   |
        | n     | number |
      And "B" provides the tools
        | name | returns | sets     |
        | t1   | hi      | {"n": 1} |
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then afterwards the state includes {"n": 1}
      And model call 2 contains the message "hi"

    Scenario: A handler and a wrapper of another middleware
      Given a middleware "A" that observes around tool
      And a handler "H" that observes around tool
      And a middleware "B" that observes before model
      And the state of "B" has the fields
        | field | type   |
        | n     | number |
      And "B" provides the tools
        | name | returns | sets     |
        | t1   | hi      | {"n": 1} |
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then afterwards the state includes {"n": 1}
      And model call 2 contains the message "hi"

    Scenario: AgentsMD between the middleware of the tool and the wrapper of another middleware
      Given the instruction file "/p/a.md" containing "Be brief."
      And a middleware "B" that observes before model
      And the state of "B" has the fields
        | field | type   |
        | n     | number |
      And "B" provides the tools
        | name | returns | sets     |
        | t1   | hi      | {"n": 1} |
      And AgentsMD with the configured files
      And a middleware "A" that observes around tool
      And a model that calls "t1" once before it answers "done"
      When the agent runs
      Then afterwards the state includes {"n": 1}
      And model call 2 contains the message "hi"
