Feature: The order of instruction files
  A tool searches several folders for instruction files, and a model receives the files one after the other. Most tools
  begin with the outermost folder, so that the file next to the work is read last. Other tools begin with the working
  directory, or sort the paths.

  Where two files contradict each other, no tool decides which one counts: the model sees both texts, and the order is
  all that the author of a file can rely on. "See above" in a file is right in one tool and wrong in another.

  {name} stands for the usual file name of the tool, for example AGENTS.md. {first name} stands for the first name in
  the list of the tool. {second name} stands for the second name in the list of the tool.

  @INS-ORDER-01 @clarified @axis:order=from-root
  Rule: In a dialect with order=from-root, instruction files are loaded from the outermost folder to the working directory

    Scenario: Files in three folders of a project
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}", "project/a/b/{name}"
      And the working directory "project/a/b"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/a/{name}", "project/a/b/{name}"

    Scenario: The folders sort in another order than their depths
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/A/{name}", "project/A/B/{name}"
      And the working directory "project/A/B"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/A/{name}", "project/A/B/{name}"

  @INS-ORDER-02 @clarified @axis:order=from-working-directory
  Rule: In a dialect with order=from-working-directory, instruction files are loaded from the working directory to the outermost folder

    Scenario: Files in three folders, the working directory first
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}", "project/a/b/{name}"
      And the working directory "project/a/b"
      When the tool reads the workspace
      Then the loaded files are "project/a/b/{name}", "project/a/{name}", "project/{name}"

    Scenario: A folder without a file between two files
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/b/{name}"
      And the working directory "project/a/b"
      When the tool reads the workspace
      Then the loaded files are "project/a/b/{name}", "project/{name}"

  @INS-ORDER-03 @clarified @axis:order=by-path
  Rule: In a dialect with order=by-path, instruction files are loaded in the order of their paths

    Scenario: A folder that sorts before the name of an instruction file
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/A/{name}"
      And the working directory "project/A"
      When the tool reads the workspace
      Then the loaded files are "project/A/{name}", "project/{name}"

    Scenario: A folder that sorts after the name of an instruction file
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/z/{name}"
      And the working directory "project/z"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/z/{name}"

  @INS-ORDER-04 @clarified @axis:order=as-configured @axis:walk=configured
  Rule: In a dialect with order=as-configured, instruction files are loaded in the order of the configuration

    Scenario: Three files in another order than that of their folders
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}", "project/a/b/{name}"
      And the configured workspace files "project/a/{name}", "project/a/b/{name}", "project/{name}"
      When the tool reads the workspace
      Then the loaded files are "project/a/{name}", "project/a/b/{name}", "project/{name}"

  @INS-ORDER-05 @clarified @axis:grouping=by-folder @axis:order=from-root
  Rule: In a dialect with grouping=by-folder, the files of one folder are loaded before the files of the next folder, whatever their names are

    @axis:names=kimi-agents @axis:selection=first-in-folder
    Scenario: Files AGENTS.md and .kimi/AGENTS.md in two folders
      Given the Git repository "project"
      And the workspace files "project/.kimi/AGENTS.md", "project/AGENTS.md"
      And the workspace files "project/a/.kimi/AGENTS.md", "project/a/AGENTS.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/.kimi/AGENTS.md", "project/AGENTS.md", "project/a/.kimi/AGENTS.md", "project/a/AGENTS.md"

    @axis:names=claude-or-agents @axis:selection=one-family-per-project
    Scenario: Files CLAUDE.md and CLAUDE.local.md in two folders
      Given the Git repository "project"
      And the workspace files "project/CLAUDE.md", "project/CLAUDE.local.md"
      And the workspace files "project/a/CLAUDE.md", "project/a/CLAUDE.local.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/CLAUDE.md", "project/CLAUDE.local.md", "project/a/CLAUDE.md", "project/a/CLAUDE.local.md"

  @INS-ORDER-06 @clarified @axis:grouping=by-name @axis:order=from-root @axis:selection=every-name
  Rule: In a dialect with grouping=by-name, all files of one name are loaded before the files of the next name, whatever their folders are

    Scenario: Files of two names in each of two folders
      Given the Git repository "project"
      And the workspace files "project/{first name}", "project/{second name}"
      And the workspace files "project/a/{first name}", "project/a/{second name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/{first name}", "project/a/{first name}", "project/{second name}", "project/a/{second name}"

    Scenario: A file of the second name above a file of the first name
      Given the Git repository "project"
      And the workspace files "project/{second name}", "project/a/{first name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/a/{first name}", "project/{second name}"
