Feature: The order of instruction files
  A tool searches several folders for instruction files, and a model receives the files one after the other. Most tools
  begin with the outermost folder, so that the file next to the work is read last.

  The name {name} is the usual name of an instruction file in the dialect of the tool, for example AGENTS.md.

  @INS-ORDER-01 @clarified @axis:order=from-root
  Rule: Instruction files are loaded from the outermost folder to the working directory

    Scenario: Files in three folders of a project
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}", "project/a/b/{name}"
      And the working directory "project/a/b"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/a/{name}", "project/a/b/{name}"

    Scenario: The folders sort in another order than their depths
      Given the Git repository "project"
      And the workspace files "project/z/{name}", "project/z/a/{name}", "project/z/a/m/{name}"
      And the working directory "project/z/a/m"
      When the tool reads the workspace
      Then the loaded files are "project/z/{name}", "project/z/a/{name}", "project/z/a/m/{name}"

  @INS-ORDER-02 @clarified @axis:order=from-working-directory
  Rule: Instruction files are loaded from the working directory to the outermost folder

    Scenario: Files in three folders, the working directory first
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}", "project/a/b/{name}"
      And the working directory "project/a/b"
      When the tool reads the workspace
      Then the loaded files are "project/a/b/{name}", "project/a/{name}", "project/{name}"

  @INS-ORDER-04 @clarified @axis:order=as-configured
  Rule: Instruction files are loaded in the order of the configuration

    Scenario: Three files in another order than that of their folders
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}", "project/a/b/{name}"
      And the configured workspace files "project/a/{name}", "project/a/b/{name}", "project/{name}"
      When the tool reads the workspace
      Then the loaded files are "project/a/{name}", "project/a/b/{name}", "project/{name}"
