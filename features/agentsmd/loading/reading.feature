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

  @AMD-BACKEND-13 @documented
  Rule: Files are read only through the backend

    Scenario: A file that is on the disk but not in the backend
      Given the configured files "/etc/passwd", "/p/a.md"
      And the file "/p/a.md" containing "Answer in French."
      When the instructions are loaded
      Then the only loaded file is "/p/a.md"
      And a warning is given
      And "/etc/passwd" is read at least once
