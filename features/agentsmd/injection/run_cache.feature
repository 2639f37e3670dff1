Feature: Loaded once per run
  Within one run the files are loaded once, at the first model call, and what
  was loaded stays what it is, whether or not it was worth inserting. The next
  run loads again, so an edited file counts from then on.

  @AMD-CACHE-01 @documented
  Rule: In one run each file is read once, however often the model is called

    Scenario: Three model calls
      Given the instructions file "/p/a.md" holding "Answer in French."
      And a model that asks for a tool 2 times before it answers
      When the agent runs
      Then the model is called 3 times
      And "/p/a.md" is read 1 time in run 1

  @AMD-CACHE-02 @documented
  Rule: Every run reads the files anew

    Scenario: Two runs
      Given the instructions file "/p/a.md" holding "Answer in French."
      When the agent runs twice
      Then "/p/a.md" is read 1 time in run 1
      And "/p/a.md" is read 1 time in run 2

    Scenario: The first of two runs fails after its first model call
      Given the instructions file "/p/a.md" holding "Answer in French."
      And a tool that fails
      When the agent runs twice
      Then "/p/a.md" is read 1 time in run 1
      And "/p/a.md" is read 1 time in run 2

  @AMD-CACHE-03 @documented
  Rule: A file edited between two runs is new in the second

    Scenario: Edited between the runs
      Given the instructions file "/p/a.md" holding "Answer in French."
      And "/p/a.md" holds "Answer in Czech." from run 2 on
      When the agent runs twice
      Then every model call of run 1 says "Answer in French."
      And every model call of run 2 says "Answer in Czech."
      And no model call of run 2 says "Answer in French."

  @AMD-CACHE-04 @documented
  Rule: A file edited during a run is new in the next run only

    Scenario: Edited after the first of two model calls
      Given the instructions file "/p/a.md" holding "Answer in French."
      And "/p/a.md" holds "Answer in Czech." from model call 1 on
      And a model that asks for a tool 1 time before it answers
      When the agent runs twice
      Then every model call of run 1 says "Answer in French."
      And no model call of run 1 says "Answer in Czech."
      And every model call of run 2 says "Answer in Czech."

  @AMD-CACHE-05 @derived
  Rule: Instructions that were removed come back from what was loaded, without reading

    Scenario: Removed each time, and edited on the way
      Given the instructions file "/p/a.md" holding "Answer in French."
      And a handler before it that removes the instructions
      And "/p/a.md" holds "Answer in Czech." from model call 1 on
      And a model that asks for a tool 2 times before it answers
      When the agent runs
      Then "/p/a.md" is read 1 time in run 1
      And every model call of run 1 says "Answer in French."
      And no model call of run 1 says "Answer in Czech."

  @AMD-CACHE-06 @derived
  Rule: A load that found nothing counts as well

    Scenario: An empty file
      Given the instructions file "/p/a.md" holding ""
      And a model that asks for a tool 2 times before it answers
      When the agent runs
      Then "/p/a.md" is read 1 time in run 1

    Scenario: A missing file that appears during the run
      Given the configured files "/p/a.md"
      And "/p/a.md" holds "Answer in Czech." from model call 1 on
      And a model that asks for a tool 2 times before it answers
      When the agent runs
      Then "/p/a.md" is read 1 time in run 1
      And no model call of run 1 says "Answer in Czech."

  @AMD-CACHE-07 @derived
  Rule: A load with warnings counts as well

    Scenario: A missing import that appears during the run
      Given the instructions file "/p/a.md" holding "Answer in French. @late.md"
      And a handler before it that removes the instructions
      And "/p/late.md" holds "Answer in Czech." from model call 1 on
      And a model that asks for a tool 2 times before it answers
      When the agent runs
      Then "/p/a.md" is read 1 time in run 1
      And every model call of run 1 says "Answer in French."
      And no model call of run 1 says "Answer in Czech."

  @AMD-CACHE-08 @derived
  Rule: A load that failed does not count for a later run

    Scenario: Forbidden in the first run only
      Given the instructions file "/p/a.md" holding "Answer in French."
      And reading "/p/a.md" fails with a permission error
      And reading "/p/a.md" works from run 2 on
      When the agent runs twice
      Then run 1 fails with a permission error
      And every model call of run 2 says "Answer in French."

  @AMD-CACHE-09 @derived
  Rule: Runs at the same time load each for itself

    Scenario: Three runs under way before the first has read
      Given the instructions file "/p/a.md" holding "Answer in French."
      And reading "/p/a.md" waits until run 3 begins
      When the agent runs 3 times at once
      Then "/p/a.md" is read 1 time in run 1
      And "/p/a.md" is read 1 time in run 2
      And "/p/a.md" is read 1 time in run 3
      And every model call carries the instructions once

  @AMD-CACHE-10 @clarified
  Rule: A stored conversation brings its instructions along, and nothing is loaded

    Scenario: A second run that begins with the first one's conversation
      Given the instructions file "/p/a.md" holding "Answer in French."
      And "/p/a.md" holds "Answer in Czech." from run 2 on
      And the caller begins run 2 with the conversation of run 1
      When the agent runs twice
      Then "/p/a.md" is read 0 times in run 2
      And every model call of run 2 says "Answer in French."
      And no model call of run 2 says "Answer in Czech."

  @AMD-CACHE-11 @derived
  Rule: A resumed run is the same run: nothing is loaded again

    Scenario: Edited while the run was interrupted
      Given the instructions file "/p/a.md" holding "Answer in French."
      And a tool that interrupts the run
      And a handler before it that removes the instructions
      And "/p/a.md" holds "Answer in Czech." from run 2 on
      When the agent runs, is interrupted and is resumed
      Then "/p/a.md" is read 1 time in run 1
      And "/p/a.md" is read 0 times in run 2
      And no model call of run 2 says "Answer in Czech."
      And every model call carries the instructions once

  @AMD-CACHE-12 @clarified
  Rule: Of two handlers in one agent, neither inserts a file that only the other was given

    Scenario: The first one's message is removed before the second's turn
      Given the instructions file "/p/a.md" holding "Answer in French."
      And a handler behind it that removes the instructions
      And a second AgentsMD handler for "/p/b.md"
      And the file "/p/b.md" holding "Be brief."
      When the agent runs
      Then every model call of run 1 says "Be brief."
      And no model call of run 1 says "Answer in French."

  @AMD-CACHE-13 @clarified
  Rule: Outside a run, each call of the hook loads and inserts

    Scenario: Called twice
      Given the instructions file "/p/a.md" holding "Answer in French."
      When the hook is called 2 times outside a run
      Then the instructions come out of each call
      And "/p/a.md" is read 2 times

  @AMD-CACHE-14 @derived
  Rule: An agent and an agent it uses as a tool load each for itself

    Scenario: One handler in both
      Given the instructions file "/p/a.md" holding "Answer in French."
      And a tool that is an agent with the same handler
      When the agent runs
      Then "/p/a.md" is read 2 times in run 1
      And every model call carries the instructions once
