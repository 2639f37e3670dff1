Feature: The order of instruction files
  A tool searches several folders for instruction files.

  @INS-ORDER-01 @clarified @axis:order=from-root
  Rule: Instruction files are loaded from the outermost folder to the working directory

    Scenario: Files in three folders
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}", "project/a/b/{name}"
      And the working directory "project/a/b"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/a/{name}", "project/a/b/{name}"

  @INS-ORDER-03 @clarified @axis:order=as-configured
  Rule: Instruction files are loaded in the order of the configuration

    Scenario: Three files in another order than that of their folders
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}", "project/a/b/{name}"
      And the configured workspace files "project/a/{name}", "project/a/b/{name}", "project/{name}"
      When the tool reads the workspace
      Then the loaded files are "project/a/{name}", "project/a/b/{name}", "project/{name}"
