Feature: The searched folders
  A tool starts in its working directory and searches this folder and folders above for instruction files. Most tools
  stop at the root of the project. A folder above the project can belong to another project, and its files then reach
  a model without any intention of the user.

  Some tools search no folder: their configuration lists the files.

  @INS-WALK-01 @clarified @axis:walk=project-root
  Rule: Instruction files are searched from the working directory up to the root of the project

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
      Then the loaded files are "outer/project/{name}"

    Scenario: A file next to the way to the root
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/b/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/{name}"

  @INS-WALK-02 @clarified @axis:walk=above-root
  Rule: Instruction files are searched from the working directory up to one folder above the root of the project

    Scenario: Files one and two folders above the root of a project
      Given the Git repository "top/outer/project"
      And the workspace files "top/{name}", "top/outer/{name}", "top/outer/project/{name}"
      And the working directory "top/outer/project"
      When the tool reads the workspace
      Then in any order, the loaded files are "top/outer/{name}", "top/outer/project/{name}"

  @INS-WALK-03 @clarified @axis:walk=file-system-root
  Rule: Instruction files are searched from the working directory up to the root of the file system

    Scenario: Files one and two folders above the root of a project in a folder
      Given the Git repository "top/outer/project"
      And the workspace files "top/{name}", "top/outer/{name}", "top/outer/project/{name}"
      And the working directory "top/outer/project"
      When the tool reads the workspace
      Then in any order, the loaded files are "top/{name}", "top/outer/{name}", "top/outer/project/{name}"

  @INS-WALK-05 @clarified @axis:walk=configured
  Rule: Instruction files are not searched: only configured files are loaded

    Scenario: A file that is not configured
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}"
      And the configured workspace files "project/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/{name}"

  @INS-WALK-06 @clarified @axis:root=git-entry
  Rule: The root of a project is a folder with any entry named ".git"

    @axis:walk=project-root
    Scenario: A file named ".git"
      Given the workspace file "outer/project/.git" with nothing but "gitdir: elsewhere"
      And the workspace files "outer/{name}", "outer/project/{name}", "outer/project/a/{name}"
      And the working directory "outer/project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "outer/project/{name}", "outer/project/a/{name}"

    @axis:walk=project-root
    Scenario: An empty folder named ".git"
      Given the workspace folders "outer/project/.git"
      And the workspace files "outer/{name}", "outer/project/{name}", "outer/project/a/{name}"
      And the working directory "outer/project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "outer/project/{name}", "outer/project/a/{name}"

    @axis:walk=above-root
    Scenario: An empty folder named ".git", two folders below a file
      Given the workspace folders "top/outer/project/.git"
      And the workspace files "top/{name}", "top/outer/{name}", "top/outer/project/{name}"
      And the working directory "top/outer/project"
      When the tool reads the workspace
      Then in any order, the loaded files are "top/outer/{name}", "top/outer/project/{name}"

  @INS-WALK-08 @clarified @axis:root=git-repository @axis:no-root=every-folder-above
  Rule: The root of a project is a folder that Git accepts as a repository

    Scenario: An empty folder named ".git" is not accepted by Git
      Given the workspace folders "outer/project/.git"
      And the workspace files "outer/{name}", "outer/project/{name}"
      And the working directory "outer/project"
      When the tool reads the workspace
      Then in any order, the loaded files are "outer/{name}", "outer/project/{name}"

    Scenario: A repository that Git accepts
      Given the Git repository "outer/project"
      And the workspace files "outer/{name}", "outer/project/{name}"
      And the working directory "outer/project"
      When the tool reads the workspace
      Then the loaded files are "outer/project/{name}"

  @INS-WALK-09 @clarified @axis:root=nothing
  Rule: No entry of a folder ends the search for instruction files

    Scenario: A repository in a repository
      Given the Git repository "outer"
      And the Git repository "outer/project"
      And the workspace files "outer/{name}", "outer/project/{name}"
      And the working directory "outer/project"
      When the tool reads the workspace
      Then in any order, the loaded files are "outer/{name}", "outer/project/{name}"

  @INS-WALK-10 @clarified @axis:no-root=working-directory
  Rule: Outside any project, only the working directory is searched

    Scenario: Files in the working directory and above, without a repository
      Given the workspace files "outer/{name}", "outer/project/{name}"
      And the working directory "outer/project"
      When the tool reads the workspace
      Then the loaded files are "outer/project/{name}"

  @INS-WALK-11 @clarified @axis:no-root=every-folder-above
  Rule: Outside any project, every folder above the working directory is searched

    Scenario: Files in the working directory and in two folders above, without a repository
      Given the workspace files "top/{name}", "top/outer/{name}", "top/outer/project/{name}"
      And the working directory "top/outer/project"
      When the tool reads the workspace
      Then in any order, the loaded files are "top/{name}", "top/outer/{name}", "top/outer/project/{name}"

  @INS-WALK-18 @clarified @axis:below=no
  Rule: Instruction files below the working directory are not loaded at the start

    Scenario: A file in a folder below the working directory
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}"
      When the tool reads the workspace
      Then the loaded files are "project/{name}"

  @INS-WALK-19 @clarified @axis:below=yes
  Rule: Instruction files below the working directory are loaded at the start

    Scenario: Files in two folders below the working directory
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}", "project/a/b/{name}"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/{name}", "project/a/{name}", "project/a/b/{name}"
