Feature: The searched folders
  A tool starts in its working directory and searches this folder and folders above for instruction files. Most tools
  stop at the root of the project. Some continue to the root of the file system, so that a file of another project can
  reach a model. Some search a single folder, which can have a folder of rules. Some search no folder: their
  configuration lists the files.

  A file in a subfolder reaches only the sessions that start there or below. Outside any project there is no root, and
  tools differ most.

  {name} stands for the usual file name of the tool, for example AGENTS.md.

  @INS-WALK-01 @clarified @axis:walk=project-root
  Rule: In a dialect with walk=project-root, instruction files are searched from the working directory up to the root of the project

    Scenario: Files above, in and below the root of a project
      Given the Git repository "outer/project"
      And the workspace files "outer/{name}", "outer/project/{name}", "outer/project/a/{name}"
      And the working directory "outer/project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "outer/project/{name}", "outer/project/a/{name}"

    Scenario: Folders without a file between the working directory and the root
      Given the Git repository "outer/project"
      And the workspace files "outer/{name}", "outer/project/{name}"
      And the working directory "outer/project/a/b/c"
      When the tool reads the workspace
      Then the only loaded file is "outer/project/{name}"

    Scenario: A file next to the way to the root
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/b/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

    Scenario: A project in a folder of another project
      Given the Git repository "outer"
      And the Git repository "outer/project"
      And the workspace files "outer/{name}", "outer/project/{name}", "outer/project/a/{name}"
      And the working directory "outer/project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "outer/project/{name}", "outer/project/a/{name}"

  @INS-WALK-02 @clarified @axis:walk=above-root
  Rule: In a dialect with walk=above-root, instruction files are searched from the working directory up to one folder above the root of the project

    Scenario: Files one and two folders above the root of a project
      Given the Git repository "top/outer/project"
      And the workspace files "top/{name}", "top/outer/{name}", "top/outer/project/{name}"
      And the working directory "top/outer/project"
      When the tool reads the workspace
      Then in any order, the loaded files are "top/outer/{name}", "top/outer/project/{name}"

    Scenario: The working directory is below the root
      Given the Git repository "top/outer/project"
      And the workspace files "top/{name}", "top/outer/{name}", "top/outer/project/a/{name}"
      And the working directory "top/outer/project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "top/outer/{name}", "top/outer/project/a/{name}"

  @INS-WALK-03 @clarified @axis:walk=file-system-root
  Rule: In a dialect with walk=file-system-root, instruction files are searched from the working directory up to the root of the file system

    Scenario: Files in the working directory, in every folder above, and in another folder
      Given the workspace files "{name}", "top/{name}", "top/outer/{name}", "top/outer/project/{name}"
      And the workspace file "top/other/{name}"
      And the working directory "top/outer/project"
      When the tool reads the workspace
      Then in any order, the loaded files are "{name}", "top/{name}", "top/outer/{name}", "top/outer/project/{name}"

    Scenario: A file far above the working directory
      Given the workspace files "{name}", "top/outer/project/{name}"
      And the working directory "top/outer/project"
      When the tool reads the workspace
      Then in any order, the loaded files are "{name}", "top/outer/project/{name}"

  @INS-WALK-04 @clarified @axis:walk=nearest
  Rule: In a dialect with walk=nearest, only the files of the nearest searched folder with an instruction file are loaded

    Scenario: Files at the root of a project and in a folder below
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}"
      And the working directory "project/a/b"
      When the tool reads the workspace
      Then the only loaded file is "project/a/{name}"

    Scenario: The nearest file is at the root of the project
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/b/{name}"
      And the working directory "project/a/b"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

  @INS-WALK-05 @clarified @axis:walk=configured
  Rule: In a dialect with walk=configured, instruction files are not searched: only configured files are loaded

    Scenario: A file that is not configured
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}"
      And the configured workspace file "project/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

    Scenario: A configured file in a folder that is not above the working directory
      Given the Git repository "project"
      And the workspace files "project/a/{name}", "project/b/{name}"
      And the configured workspace file "project/b/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/b/{name}"

  @INS-WALK-24 @clarified @axis:walk=working-directory @axis:names=agents-agent-claude-codex
  Rule: In a dialect with walk=working-directory, instruction files are searched in the working directory only

    Scenario: Files at the root of a project and in the working directory
      Given the Git repository "project"
      And the workspace files "project/AGENTS.md", "project/a/AGENTS.md", "project/a/b/AGENTS.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/a/AGENTS.md"

    Scenario: A file AGENTS.md above a file CLAUDE.md, without a repository
      Given the workspace files "outer/AGENTS.md", "outer/project/CLAUDE.md"
      And the working directory "outer/project"
      When the tool reads the workspace
      Then the only loaded file is "outer/project/CLAUDE.md"

  @INS-NAMES-25 @clarified @axis:rules-folder=continue @axis:walk=working-directory @axis:names=agents-agent-claude-codex
  Rule: In a dialect with rules-folder=continue, each Markdown file of the folder ".continue/rules" in the working directory and in the home folder that the model always receives is loaded after all other files

    Scenario: Rules in the working directory, in a folder of its rules, and in the home folder
      Given the Git repository "project"
      And the workspace files "home/.continue/rules/a.md", "project/.continue/rules/a/b.md", "project/.continue/rules/c.md"
      And the workspace files "project/.continue/rules/.hidden.md", "project/AGENTS.md"
      When the tool reads the workspace
      Then the loaded files are "project/AGENTS.md", "project/.continue/rules/.hidden.md", "project/.continue/rules/c.md", "project/.continue/rules/a/b.md", "home/.continue/rules/a.md"

    Scenario: A rule above the working directory
      Given the Git repository "project"
      And the workspace files "project/.continue/rules/style.md", "project/a/AGENTS.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/a/AGENTS.md"

    Scenario: Files without the ending ".md" of a rule
      Given the Git repository "project"
      And the workspace files "project/AGENTS.md", "project/.continue/rules/notes.MD", "project/.continue/rules/notes.txt"
      When the tool reads the workspace
      Then the only loaded file is "project/AGENTS.md"

    Scenario Outline: A rule that the model does not always receive: <field>
      Given the Git repository "project"
      And the workspace file "project/.continue/rules/style.md" with nothing but "---\n<field>\n---\nBe brief."
      And the workspace file "project/AGENTS.md"
      When the tool reads the workspace
      Then the only loaded file is "project/AGENTS.md"
      And the loaded text does not contain "Be brief."

      Examples:
        | field                  |
        | globs: 'src/*.ts'      |
        | globs:\n  - 'src/*.ts' |
        | regex: import          |
        | alwaysApply: false     |
        | invokable: true        |

    Scenario Outline: A rule that the model always receives: <field>
      Given the Git repository "project"
      And the workspace file "project/.continue/rules/style.md" with nothing but "For people.\n---\n<field>\n---\n\nBe brief.\n"
      When the tool reads the workspace
      Then the loaded text contains "Be brief."
      And the loaded text does not contain "<field>"
      And the loaded text does not contain "For people."

      Examples:
        | field                                 |
        | description: us                       |
        | alwaysApply: true\nglobs: 'src/*.ts'  |
        | invokable: false                      |

    Scenario: Two rules with the same text
      Given the Git repository "project"
      And the workspace file "project/.continue/rules/a.md" with nothing but "Be brief."
      And the workspace file "project/.continue/rules/b.md" with nothing but "Be brief."
      When the tool reads the workspace
      Then the loaded text contains "Be brief." 2 times

  @INS-NAMES-27 @clarified @axis:rules-folder=kilo @axis:global-file=kilo
  Rule: In a dialect with rules-folder=kilo, each Markdown file in the folders ".kilo/rules" and ".kilocode/rules" of the home folder and of the working directory is loaded after all other files

    Scenario: Rules at the root, in the working directory, and in the home folder
      Given the Git repository "project"
      And the workspace files "project/.kilo/rules/root.md", "project/a/.kilocode/rules/b.md", "project/a/.kilo/rules/c.md"
      And the workspace files "home/.kilocode/rules/d.md", "home/.kilo/rules/e.md", "project/a/AGENTS.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/a/AGENTS.md", "home/.kilo/rules/e.md", "home/.kilocode/rules/d.md", "project/a/.kilo/rules/c.md", "project/a/.kilocode/rules/b.md"

    Scenario: A file with the name of a rule in the other folder, a file below a folder of rules, and a text file
      Given the workspace files "project/.kilo/rules/a.md", "project/.kilocode/rules/a.md", "project/.kilo/rules/b/c.md"
      And the workspace file "project/.kilo/rules/d.txt"
      When the tool reads the workspace
      Then the only loaded file is "project/.kilo/rules/a.md"

  @INS-WALK-10 @clarified @axis:no-root=working-directory @axis:walk=project-root
  Rule: In a dialect with no-root=working-directory, only the working directory is searched outside any project

    Scenario: Files in the working directory and above, without a repository
      Given the workspace files "outer/{name}", "outer/project/{name}"
      And the working directory "outer/project"
      When the tool reads the workspace
      Then the only loaded file is "outer/project/{name}"

    Scenario: A repository next to the working directory
      Given the Git repository "outer/other"
      And the workspace files "outer/{name}", "outer/project/{name}"
      And the working directory "outer/project"
      When the tool reads the workspace
      Then the only loaded file is "outer/project/{name}"

  @INS-WALK-11 @clarified @axis:no-root=every-folder-above
  Rule: In a dialect with no-root=every-folder-above, outside any project, the working directory and all folders above it are searched

    Scenario: Files in the working directory, in two folders above, and in another folder, without a repository
      Given the workspace files "top/{name}", "top/outer/{name}", "top/outer/project/{name}", "top/other/{name}"
      And the working directory "top/outer/project"
      When the tool reads the workspace
      Then in any order, the loaded files are "top/{name}", "top/outer/{name}", "top/outer/project/{name}"

    Scenario: Files in and above the home folder, without a repository
      Given the home folder "users/me"
      And the workspace files "users/{name}", "users/me/{name}", "users/me/code/{name}"
      And the working directory "users/me/code"
      When the tool reads the workspace
      Then in any order, the loaded files are "users/{name}", "users/me/{name}", "users/me/code/{name}"

  @INS-WALK-12 @clarified @axis:no-root=up-to-home @axis:walk=project-root
  Rule: In a dialect with no-root=up-to-home, a search outside any project ends at the home folder

    Scenario: Files in and above the home folder, and no project
      Given the home folder "users/me"
      And the workspace files "users/{name}", "users/me/{name}", "users/me/code/a/{name}"
      And the working directory "users/me/code/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "users/me/{name}", "users/me/code/a/{name}"

  @INS-WALK-13 @clarified @axis:no-root=above-home @axis:walk=above-root
  Rule: In a dialect with no-root=above-home, a search outside any project ends at the folder above the home folder

    Scenario: Files one and two folders above the home folder
      Given the home folder "users/me"
      And the workspace files "{name}", "users/{name}", "users/me/{name}", "users/me/code/a/{name}"
      And the working directory "users/me/code/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "users/{name}", "users/me/{name}", "users/me/code/a/{name}"

  @INS-WALK-25 @clarified @axis:no-root=names-above @axis:names=agents-claude-context
  Rule: In a dialect with no-root=names-above, outside any project, only files of the working directory are loaded, of the first name that the working directory or a folder above has

    Scenario: Files in the working directory and in a folder above, without a repository
      Given the workspace files "outer/{name}", "outer/project/{name}"
      And the working directory "outer/project"
      When the tool reads the workspace
      Then the only loaded file is "outer/project/{name}"

    Scenario: A file of the first name above the working directory, and one of the second name in it
      Given the workspace files "outer/AGENTS.md", "outer/project/CLAUDE.md"
      And the working directory "outer/project"
      When the tool reads the workspace
      Then no file is loaded

  @INS-WALK-14 @clarified @axis:at-home=as-elsewhere
  Rule: In a dialect with at-home=as-elsewhere, a tool that starts in the home folder searches the same folders as in any other working directory

    @axis:walk=project-root
    Scenario: The home folder is a folder of a project
      Given the Git repository "outer"
      And the home folder "outer/me"
      And the workspace files "outer/{name}", "outer/me/{name}", "outer/you/{name}"
      And the working directory "outer/me"
      When the tool reads the workspace
      Then in any order, the loaded files are "outer/{name}", "outer/me/{name}"

    @axis:walk=file-system-root
    Scenario: The home folder is below a folder with a file
      Given the home folder "outer/me"
      And the workspace files "outer/{name}", "outer/me/{name}", "outer/you/{name}"
      And the working directory "outer/me"
      When the tool reads the workspace
      Then in any order, the loaded files are "outer/{name}", "outer/me/{name}"

  @INS-WALK-15 @clarified @axis:at-home=home-alone
  Rule: In a dialect with at-home=home-alone, a tool that starts in the home folder searches no folder above the home folder

    Scenario: The working directory is a home folder in a project
      Given the Git repository "outer"
      And the home folder "outer/me"
      And the workspace files "outer/{name}", "outer/me/{name}"
      And the working directory "outer/me"
      When the tool reads the workspace
      Then the only loaded file is "outer/me/{name}"

    @axis:walk=project-root
    Scenario: The working directory is below a home folder in a project
      Given the Git repository "outer"
      And the home folder "outer/me"
      And the workspace files "outer/{name}", "outer/me/{name}", "outer/me/code/{name}"
      And the working directory "outer/me/code"
      When the tool reads the workspace
      Then in any order, the loaded files are "outer/{name}", "outer/me/{name}", "outer/me/code/{name}"

  @INS-WALK-18 @clarified @axis:below=no
  Rule: In a dialect with below=no, instruction files below the working directory are not loaded at the start

    Scenario: A file in a folder below the working directory
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

  @INS-WALK-19 @clarified @axis:below=yes
  Rule: In a dialect with below=yes, instruction files below the working directory are loaded at the start

    Scenario: Files in two folders below the working directory
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}", "project/a/b/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/{name}", "project/a/{name}", "project/a/b/{name}"

    @axis:walk=project-root
    Scenario: Files below the working directory and below another folder
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/b/{name}", "project/c/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/{name}", "project/a/b/{name}"
