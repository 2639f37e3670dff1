Feature: Built-in middlewares together with AgentsMD
  The middleware AgentsMD has a document of its own. It adds the content of instruction
  files as a message to the conversation: the instructions. The summarization
  replaces old messages of the same conversation, so the order of the two
  matters: the recommended order is the summarization first and AgentsMD
  second. The to-do list adds to the system prompt of a request, so its order
  does not matter. The numbers of model calls count the calls of the
  summarizing model as well.

  @PLUGIN-03 @clarified
  Rule: An AgentsMD middleware that follows a summarization in the list inserts the instructions into each summarized conversation again

    Background:
      Given the instruction file "/p/a.md" containing "Answer in French."
      And the conversation
        | role      | content        |
        | user      | Where is Rome? |
        | assistant | In Italy.      |
        | user      | And Lisbon?    |
        | assistant | In Portugal.   |
        | user      | How far is it? |

    Scenario: A summary before the first model call
      Given a summarization with the limit {"messages": 5}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text                      |
        | They spoke of two cities. |
      And AgentsMD with the configured files
      When the agent runs
      Then the model is called 2 times
      And call 1 of the model "summarizer" contains, in this order
        """
        Where is Rome?
        In Portugal.
        """
      And model call 1 of run 1 contains the instructions 0 times
      And call 1 of the model "model" contains, in this order
        """
        Answer in French.
        They spoke of two cities.
        How far is it?
        """
      And model call 2 of run 1 contains the instructions once

    Scenario: A second summary, of a conversation with the instructions
      Given a tool "t1" that returns "1864 km"
      And a model that calls "t1" once before it answers "done"
      And a summarization with the limit {"messages": 5}
      And the summarization keeps 2 messages
      And the model of the summarization answers
        | text                      |
        | They spoke of two cities. |
        | They spoke of distances.  |
      And AgentsMD with the configured files
      When the agent runs
      Then the model is called 4 times
      And model call 2 of run 1 contains the instructions once
      And call 2 of the model "model" contains, in this order
        """
        Answer in French.
        They spoke of distances.
        1864 km
        """
      And model call 4 of run 1 contains the instructions once

  @PLUGIN-04 @clarified
  Rule: An AgentsMD middleware before a summarization loses its instructions to each summary

    Background:
      Given the instruction file "/p/a.md" containing "Answer in French."
      And the conversation
        | role      | content        |
        | user      | Where is Rome? |
        | assistant | In Italy.      |
        | user      | And Lisbon?    |
        | assistant | In Portugal.   |
        | user      | How far is it? |

    Scenario: A summary before the first of two model calls
      Given a tool "t1" that returns "1864 km"
      And a model that calls "t1" once before it answers "done"
      And AgentsMD with the configured files
      And a summarization with the limit {"messages": 6}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text                      |
        | They spoke of two cities. |
      When the agent runs
      Then the model is called 3 times
      And call 1 of the model "summarizer" contains, in this order
        """
        Answer in French.
        In Portugal.
        """
      And call 1 of the model "model" contains, in this order
        """
        They spoke of two cities.
        How far is it?
        """
      And model call 2 of run 1 contains the instructions 0 times
      And model call 3 of run 1 contains the instructions once

    Scenario: A summary before each of two model calls
      Given a tool "t1" that returns "1864 km"
      And a model that calls "t1" once before it answers "done"
      And AgentsMD with the configured files
      And a summarization with the limit {"messages": 5}
      And the summarization keeps the last message
      And the model of the summarization answers
        | text                      |
        | They spoke of two cities. |
        | They spoke of distances.  |
      When the agent runs
      Then the model is called 4 times
      And model call 1 of run 1 contains the instructions once
      And model call 2 of run 1 contains the instructions 0 times
      And model call 3 of run 1 contains the instructions once
      And model call 4 of run 1 contains the instructions 0 times

  @PLUGIN-44 @clarified
  Rule: An AgentsMD middleware and a to-do list do not affect each other in either order

    Background:
      Given the instruction file "/p/a.md" containing "Answer in French."
      And an agent with the instruction "Be brief."
      And a model that answers
        | text | calls                                                             |
        |      | write_todos({"todos": [{"content": "ask", "status": "pending"}]}) |
        | done |                                                                   |

    Scenario: The to-do list before AgentsMD
      Given a to-do list with the prompt "Keep a list."
      And AgentsMD with the configured files
      When the agent runs
      Then the system message of call 1 of the model "model" begins with "Be brief." and continues
      And call 1 of the model "model" contains, in this order
        """
        Keep a list.
        Answer in French.
        Hello.
        """
      And every call of the model "model" has the same system message
      And model call 1 of run 1 contains the instructions once
      And model call 2 of run 1 contains the instructions once
      And afterwards the state includes {"todos": [{"content": "ask", "status": "pending"}]}

    Scenario: AgentsMD before the to-do list
      Given AgentsMD with the configured files
      And a to-do list with the prompt "Keep a list."
      When the agent runs
      Then the system message of call 1 of the model "model" begins with "Be brief." and continues
      And call 1 of the model "model" contains, in this order
        """
        Keep a list.
        Answer in French.
        Hello.
        """
      And every call of the model "model" has the same system message
      And model call 1 of run 1 contains the instructions once
      And model call 2 of run 1 contains the instructions once
      And afterwards the state includes {"todos": [{"content": "ask", "status": "pending"}]}
