Feature: Reading through the backend
  A backend reads all instruction files, so they can be on a disk, in a database
  or in memory. These rules say what the loader requests from a backend, and what it
  makes of an answer that is no content. What a backend must return is in the features
  of the backend.

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

    Scenario: Files that are read in a resumed run, and next to this in another one
      Given a streaming run
      And a conversation of agentic messages
        | role | content          | mark |
        | user | Answer in Czech. | true |
        | user | Hallo.           |      |
      And the files
        | path    | content       |
        | /p/e.md |               |
        | /p/a.md | \ü*2001 @b.md |
        | /p/b.md | B             |
      And the configured files "/p/late.md", "/p/e.md", "/p/a.md"
      And a sub-agent "helper"
      And an outer agent
      And failed model calls are retried at most once
      And the tools
        | name | returns | interrupts |
        | t1   | \ü*2001 | yes        |
      And a model that answers
        | text | calls                             | fails with |
        |      | t1({"city": "Köln"}) as b         |            |
        |      |                                   | busy       |
        |      | helper({"request": "Köln?"}) as a |            |
        | done |                                   |            |
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

  @AMD-BACKEND-03 @documented
  Rule: A file is missing if the read error is a missing-file error or wraps one

    Scenario: A missing-file error inside another error
      Given the configured files "/p/missing.md", "/p/a.md"
      And reading "/p/missing.md" fails with a missing-file error inside another error
      And the file "/p/a.md" containing "Answer in French."
      When the instructions are loaded
      Then the only loaded file is "/p/a.md"
      And a warning is given

  @AMD-BACKEND-04 @derived
  Rule: A read error that is not a missing-file error ends the load even if its message says that the file is missing

    Scenario: An I/O error with the words of a missing file
      Given the configured file "/p/a.md"
      And reading "/p/a.md" fails with an I/O error that says "file not found"
      When the instructions are loaded
      Then loading fails with an I/O error

    Scenario: A readable file with the words of a missing file
      Given the instruction file "/p/a.md" containing "file not found"
      When the instructions are loaded
      Then "/p/a.md" is loaded

  @AMD-BACKEND-06 @clarified
  Rule: A read that returns neither content nor an error counts as an empty file

    Scenario: A read without content and without an error
      Given the configured files "/p/a.md", "/p/b.md"
      And reading "/p/a.md" returns neither content nor an error
      And the file "/p/b.md" containing "Answer in French."
      When the instructions are loaded
      Then the only loaded file is "/p/b.md"
      And no warning is given

    Scenario: Two files import a file whose read returns no content
      Given the instruction file "/p/a.md" containing "Answer in French. @b.md @none.md"
      And the file "/p/b.md" containing "Be brief. @none.md"
      And reading "/p/none.md" returns neither content nor an error
      When the agent runs
      Then "/p/none.md" is read 1 time in run 1
      And no warning is given
      And the instructions of run 1 contain "/p/a.md", "/p/b.md"

  @AMD-BACKEND-07 @clarified
  Rule: Content that a backend returns together with an error is not used

    Scenario: Content with a missing-file error
      Given the configured files "/p/a.md", "/p/b.md"
      And the file "/p/a.md" containing "Answer in Latin."
      And reading "/p/a.md" fails with a missing-file error
      And the file "/p/b.md" containing "Answer in French."
      When the instructions are loaded
      Then the only loaded file is "/p/b.md"

  @AMD-BACKEND-08 @clarified
  Rule: Loading fails with the cancellation that a read from the backend reports

    Scenario: A cancellation during a read
      Given the configured file "/p/a.md"
      And reading "/p/a.md" fails with a cancellation
      When the instructions are loaded
      Then loading fails with a cancellation

    Scenario: A read without a cancellation
      Given the instruction file "/p/a.md" containing "Answer in French."
      When the instructions are loaded
      Then "/p/a.md" is loaded
