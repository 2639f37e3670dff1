Feature: The budget of bytes
  Some tools load a limited number of bytes of instruction files in all. What a file beyond the budget says reaches no
  model, and few tools report the loss. Tools differ in the files that they serve first, and in how they cut.

  The sizes in the tables include the first line of a file, which names the file.

  @INS-BUDGET-01 @clarified @axis:budget=unlimited
  Rule: Instruction files of any size are loaded in full

    Scenario: Two files of 200,000 bytes
      Given the Git repository "project"
      And workspace files of these sizes
        | path             | bytes  |
        | project/{name}   | 200000 |
        | project/a/{name} | 200000 |
      And the working directory "project/a"
      When the tool reads the workspace
      Then 200000 bytes of "project/{name}" are loaded
      And 200000 bytes of "project/a/{name}" are loaded

  @INS-BUDGET-02 @clarified @axis:budget=32768
  Rule: At most 32,768 bytes of instruction files are loaded

    @axis:budget-counts=contents
    Scenario: One file of exactly 32,768 bytes
      Given the Git repository "project"
      And workspace files of these sizes
        | path           | bytes |
        | project/{name} | 32768 |
      When the tool reads the workspace
      Then 32768 bytes of "project/{name}" are loaded

    @axis:budget-counts=contents
    Scenario: One file of 32,769 bytes
      Given the Git repository "project"
      And workspace files of these sizes
        | path           | bytes |
        | project/{name} | 32769 |
      When the tool reads the workspace
      Then 32768 bytes of "project/{name}" are loaded

  @INS-BUDGET-03 @clarified @axis:budget-order=root-first
  Rule: The budget serves the files of outer folders first

    Scenario: Two files of 20,000 bytes, the outer one in full
      Given the Git repository "project"
      And workspace files of these sizes
        | path             | bytes |
        | project/{name}   | 20000 |
        | project/a/{name} | 20000 |
      And the working directory "project/a"
      When the tool reads the workspace
      Then 20000 bytes of "project/{name}" are loaded

  @INS-BUDGET-04 @clarified @axis:budget-order=leaf-first
  Rule: The budget serves the file of the working directory first

    Scenario: Two files of 20,000 bytes, the inner one in full
      Given the Git repository "project"
      And workspace files of these sizes
        | path             | bytes |
        | project/{name}   | 20000 |
        | project/a/{name} | 20000 |
      And the working directory "project/a"
      When the tool reads the workspace
      Then 20000 bytes of "project/a/{name}" are loaded
