Feature: The hooks of several middlewares
  On the way to the model, hooks are called in the order in which middlewares
  are attached; on the way back, which the document leaves open, in the
  opposite one, as if each middleware enclosed those behind it. Handlers of
  the plain loop keep their order on the way back, too: those are another
  document's, and each of the two follows the system it describes.

  @XP-HOOK-06 @clarified
  Rule: After-model hooks and after-agent hooks are called in reverse order of attachment

    Scenario: Three middlewares
      Given a middleware "B" that looks on after model and after agent
      And a middleware "C" that looks on after model and after agent
      And a middleware "A" that looks on after model and after agent
      When the agent runs
      Then after model, the middlewares are called in the order A, C, B
      And after agent, the middlewares are called in the order A, C, B

    Scenario: Two middlewares that change the answer
      Given a middleware "A" that does
        | hook        | deed                              |
        | after model | changes the last message to "A's" |
        | after agent | looks on                          |
      And a middleware "B" that, after model, changes the last message to "B's"
      When the agent runs
      Then after model, the last message that "B" sees is "done"
      And after model, the last message that "A" sees is "B's"
      And after agent, the last message that "A" sees is "A's"

  @XP-HOOK-07 @clarified
  Rule: All model wrappers run between the before-model hooks and the after-model hooks

    Scenario: Hooks and wrappers of two middlewares
      Given a middleware "A" that does
        | hook         | deed                       |
        | before model | adds the user message "B4" |
        | around model | looks on                   |
      And a middleware "B" that does
        | hook         | deed                   |
        | around model | adds "!" to the answer |
        | after model  | looks on               |
      When the agent runs
      Then the trace is
        """
        before model A
        around model A
          around model B
            model
        after model B
        """
      And around model, the last message that "A" sees is "B4"
      And after model, the last message that "B" sees is "done!"

    Scenario: A wrapper that retries the model call
      Given a model that answers
        | text | fails with |
        |      | overload   |
        | done |            |
      And a middleware "A" that does
        | hook         | deed     |
        | before model | looks on |
        | after model  | looks on |
      And a middleware "B" that, around model, calls further in, up to 2 times while that fails
      When the agent runs
      Then the trace is
        """
        before model A
        around model B
          model
          model
        after model A
        """

    Scenario: A wrapper that short-circuits the model call
      Given a middleware "A" that does
        | hook         | deed                  |
        | before model | looks on              |
        | around model | answers "mine" itself |
        | after model  | looks on              |
      When the agent runs
      Then the trace is
        """
        before model A
        around model A
        after model A
        """
      And after model, the last message that "A" sees is "mine"

  @XP-HOOK-11 @clarified
  Rule: A hook receives the conversation and the state of its middleware with the changes of all earlier hooks

    Scenario: A message from the before-model hook of an earlier middleware
      Given a middleware "A" that, before model, adds the user message "from A"
      And a middleware "B" that looks on before model
      When the agent runs
      Then before model, "A" sees the messages
        | role | content |
        | user | Hello.  |
      And before model, "B" sees the messages
        | role | content |
        | user | Hello.  |
        | user | from A  |

    Scenario: A message from a before-agent hook
      Given a middleware "A" that looks on before model
      And a middleware "B" that, before agent, adds the user message "from B"
      When the agent runs
      Then before model, the last message that "A" sees is "from B"

    Scenario: State values from earlier hooks of the same middleware
      Given a tool "t1" that returns "one"
      And a model that calls "t1" once before it answers "done"
      And a middleware "A" that does
        | hook         | deed                       |
        | before agent | counts "seen" in the state |
        | before model | counts "seen" in the state |
        | after model  | counts "seen" in the state |
        | after agent  | looks on                   |
      And the state of "A" has the fields
        | field | type   |
        | seen  | number |
      When the agent runs
      Then before model call 1, "A" sees the state {"seen": 1}
      And after model call 1, "A" sees the state {"seen": 2}
      And before model call 2, "A" sees the state {"seen": 3}
      And after agent, "A" sees the state {"seen": 5}
