Feature: Reading through the backend
  A backend reads all instruction files, so they can be on a disk, in a database
  or in memory. These rules say what the loader requests from a backend. What a
  backend must return is in the features of the backend.

  @AMD-BACKEND-01 @clarified
  Rule: Each read requests one whole file, from line 1 and without a line limit

    Scenario: A configured file and its import
      Given the files
        | path    | content |
        | /p/a.md | A @b.md |
        | /p/b.md | B       |
      And the configured file "/p/a.md"
      When the instructions are loaded
      Then every read requests the whole file

  @AMD-BACKEND-02 @derived
  Rule: Each read receives the context of the before-model hook

    Scenario: An earlier handler adds a context value
      Given the instruction file "/p/a.md" containing "Answer in French."
      And a handler before the AgentsMD middleware that adds "tenant" to the context
      When the agent runs
      Then in run 1, every read is made with "tenant" in its context

    @axis:edits-last
    Scenario: Files that are read in a resumed run, and next to this in another one
      Given a streaming run
      And a conversation of agentic messages
        | role | content          | mark |
        | user | Answer in Czech. | true |
        | user | Hallo.           |      |
      And the files
        | path | content |
        | /p/e.md |  |
        | /p/a.md | \ü*2001 @b.md |
        | /p/b.md | B |
      And the configured files "/p/late.md", "/p/e.md", "/p/a.md"
      And a sub-agent "helper"
      And an outer agent
      And failed model calls are retried at most once
      And the tools
        | name | returns   | interrupts |
        | t1   | \ü*2001 | yes        |
      And a model that answers
        | text | calls                                                        | fails with |
        |      |                                                              | busy       |
        |      | helper({"request": "Köln?"}) as a, t1({"city": "Köln"}) as b |            |
        | done |                                                              |            |
      And in run 3, the user writes ""
      And a handler "H0" that, before model call 1 of run 2, replaces all messages with the user message "Weiter"
      And a handler "H0" that, before model, sets the context value "tenant" to "the tenant"
      And AgentsMD with the configured files
      And call 1 of "model model" in run 3 waits until run 2 has ended
      When the agent runs, and is resumed while it runs once more
      Then in run 2, every read is made with "tenant" in its context
      And in run 3, every read is made with "tenant" in its context

  @AMD-BACKEND-13 @documented
  Rule: Files are read only through the backend

    Scenario: A file that is on the disk but not in the backend
      Given the configured files "/etc/passwd", "/p/a.md"
      And the file "/p/a.md" containing "Answer in French."
      When the instructions are loaded
      Then the only loaded file is "/p/a.md"
      And a warning is given
      And "/etc/passwd" is read at least once
