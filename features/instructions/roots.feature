Feature: The root of a project
  Tools that search folders above the working directory look for the root of the project, where the search ends. Most
  tools look for an entry named ".git", and few look at what the entry is. Git itself accepts a folder with the parts
  of a repository, or a file that names such a folder: a submodule and a worktree have a file.

  Where a tool and Git disagree, the tool reads less or more than the files of the repository.

  {name} stands for the usual file name of the tool, for example AGENTS.md. {first name} stands for the first name in
  the list of the tool. {second name} stands for the second name in the list of the tool.

  @INS-WALK-06 @clarified @axis:root=git-entry @axis:walk=project-root
  Rule: In a dialect with root=git-entry, the root of a project is a folder with any entry named ".git"

    Scenario: A file named ".git"
      Given the workspace file "top/outer/project/.git" with nothing but "gitdir: elsewhere"
      And the workspace files "top/{name}", "top/outer/project/{name}", "top/outer/project/a/{name}"
      And the working directory "top/outer/project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "top/outer/project/{name}", "top/outer/project/a/{name}"

    Scenario: An empty folder named ".git"
      Given the workspace folder "top/outer/project/.git"
      And the workspace files "top/{name}", "top/outer/project/{name}", "top/outer/project/a/{name}"
      And the working directory "top/outer/project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "top/outer/project/{name}", "top/outer/project/a/{name}"

    Scenario: A link named ".git" to a folder
      Given the Git repository "top"
      And the workspace folder "elsewhere"
      And a symbolic link from "top/outer/project/.git" to "../../../elsewhere"
      And the workspace files "top/{name}", "top/outer/project/{name}", "top/outer/project/a/{name}"
      And the working directory "top/outer/project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "top/outer/project/{name}", "top/outer/project/a/{name}"

    Scenario: A named pipe ".git"
      Given the Git repository "top"
      And the named pipe "top/outer/project/.git"
      And the workspace files "top/{name}", "top/outer/project/{name}", "top/outer/project/a/{name}"
      And the working directory "top/outer/project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "top/outer/project/{name}", "top/outer/project/a/{name}"

    Scenario: A folder named ".hg" in a project
      Given the Git repository "top"
      And the workspace folder "top/outer/project/.hg"
      And the workspace files "top/{name}", "top/outer/project/{name}"
      And the working directory "top/outer/project"
      When the tool reads the workspace
      Then in any order, the loaded files are "top/{name}", "top/outer/project/{name}"

  @INS-WALK-07 @clarified @axis:root=git-folder-or-file @axis:walk=above-root
  Rule: In a dialect with root=git-folder-or-file, the root of a project is a folder with a folder or a file named ".git" that is no symbolic link

    Scenario: A file named ".git" that names no repository
      Given the Git repository "top"
      And the workspace file "top/outer/project/.git" with nothing but "gitdir: elsewhere"
      And the workspace files "top/{name}", "top/outer/project/{name}", "top/outer/project/a/{name}"
      And the working directory "top/outer/project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "top/outer/project/{name}", "top/outer/project/a/{name}"

    Scenario: A folder named ".git" without an entry
      Given the Git repository "top"
      And the workspace folder "top/outer/project/.git"
      And the workspace files "top/{name}", "top/outer/project/{name}", "top/outer/project/a/{name}"
      And the working directory "top/outer/project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "top/outer/project/{name}", "top/outer/project/a/{name}"

    Scenario: A link named ".git" in a project
      Given the Git repository "top"
      And the workspace folder "elsewhere"
      And a symbolic link from "top/outer/project/.git" to "../../../elsewhere"
      And the workspace files "top/{name}", "top/outer/project/{name}"
      And the working directory "top/outer/project"
      When the tool reads the workspace
      Then in any order, the loaded files are "top/{name}", "top/outer/project/{name}"

    Scenario: A named pipe ".git" in a project
      Given the Git repository "top"
      And the named pipe "top/outer/project/.git"
      And the workspace files "top/{name}", "top/outer/project/{name}"
      And the working directory "top/outer/project"
      When the tool reads the workspace
      Then in any order, the loaded files are "top/{name}", "top/outer/project/{name}"

  @INS-WALK-08 @clarified @axis:root=git-repository @axis:walk=project-root
  Rule: In a dialect with root=git-repository, the root of a project is a folder whose ".git" Git accepts, as a repository or as a file that names one

    @axis:no-root=every-folder-above
    Scenario: An empty folder named ".git" is not accepted by Git
      Given the workspace folder "outer/project/.git"
      And the workspace files "outer/{name}", "outer/project/{name}"
      And the working directory "outer/project"
      When the tool reads the workspace
      Then in any order, the loaded files are "outer/{name}", "outer/project/{name}"

    @axis:no-root=every-folder-above
    Scenario: A file named ".git" that leads nowhere
      Given the workspace file "outer/project/.git" with nothing but "gitdir: ../elsewhere"
      And the workspace files "outer/{name}", "outer/project/{name}"
      And the working directory "outer/project"
      When the tool reads the workspace
      Then in any order, the loaded files are "outer/{name}", "outer/project/{name}"

    Scenario: A repository that Git accepts
      Given the Git repository "outer/project"
      And the workspace files "outer/{name}", "outer/project/{name}"
      And the working directory "outer/project"
      When the tool reads the workspace
      Then the only loaded file is "outer/project/{name}"

    Scenario: A worktree that Git accepts
      Given the Git repository "main"
      And the worktree "outer/project" of the Git repository "main"
      And the workspace files "outer/{name}", "outer/project/{name}", "outer/project/a/{name}"
      And the working directory "outer/project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "outer/project/{name}", "outer/project/a/{name}"

  @INS-WALK-09 @clarified @axis:root=nothing @axis:walk=file-system-root
  Rule: In a dialect with root=nothing, the search for instruction files goes up to the root of the file system, past any .git

    Scenario: A repository in a repository
      Given the Git repository "outer"
      And the Git repository "outer/project"
      And the workspace files "outer/{name}", "outer/project/{name}", "outer/other/{name}"
      And the working directory "outer/project"
      When the tool reads the workspace
      Then in any order, the loaded files are "outer/{name}", "outer/project/{name}"

    Scenario: The only file is above a repository
      Given the Git repository "outer/project"
      And the workspace file "outer/{name}"
      And the working directory "outer/project"
      When the tool reads the workspace
      Then the only loaded file is "outer/{name}"

  @INS-WALK-16 @clarified @axis:worktree=no @axis:walk=above-root
  Rule: In a dialect with worktree=no, in a Git worktree inside its main repository, files of the main repository are loaded like files of any other folder above

    Scenario: A worktree directly in its main repository
      Given the Git repository "project"
      And the worktree "project/other" of the Git repository "project"
      And the workspace files "project/{name}", "project/other/{name}"
      And the working directory "project/other"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/{name}", "project/other/{name}"

    Scenario: A worktree two folders below its main repository
      Given the Git repository "project"
      And the worktree "project/trees/other" of the Git repository "project"
      And the workspace files "project/{name}", "project/trees/{name}", "project/trees/other/{name}"
      And the working directory "project/trees/other"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/trees/{name}", "project/trees/other/{name}"

  @INS-WALK-17 @clarified @axis:worktree=hides @axis:walk=file-system-root
  Rule: In a dialect with worktree=hides, a file at the root of a Git worktree replaces the file of the same name at the root of the main repository

    Scenario: A worktree in its main repository, with a file of the same name
      Given the Git repository "project"
      And the worktree "project/other" of the Git repository "project"
      And the workspace files "project/{name}", "project/other/{name}", "project/other/a/{name}"
      And the working directory "project/other/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/other/{name}", "project/other/a/{name}"

    @axis:selection=first-in-folder
    Scenario: A worktree in its main repository, with a file of another name
      Given the Git repository "project"
      And the worktree "project/other" of the Git repository "project"
      And the workspace files "project/{second name}", "project/other/{first name}"
      And the working directory "project/other"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/{second name}", "project/other/{first name}"

    Scenario: A file in a folder between a worktree and its main repository
      Given the Git repository "project"
      And the worktree "project/trees/other" of the Git repository "project"
      And the workspace files "project/{name}", "project/trees/{name}", "project/trees/other/{name}"
      And the working directory "project/trees/other"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/trees/{name}", "project/trees/other/{name}"

    Scenario: A worktree without a file at its root
      Given the Git repository "project"
      And the worktree "project/other" of the Git repository "project"
      And the workspace files "project/{name}", "project/other/a/{name}"
      And the working directory "project/other/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/{name}", "project/other/a/{name}"

    Scenario: A second repository, which is no worktree
      Given the Git repository "project"
      And the Git repository "project/other"
      And the workspace files "project/{name}", "project/other/{name}"
      And the working directory "project/other"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/{name}", "project/other/{name}"

  @INS-WALK-22 @clarified @axis:worktree=hides-all @axis:walk=file-system-root @axis:names=claude-or-agents
  Rule: In a dialect with worktree=hides-all, in a Git worktree inside its main repository, no file of the main repository is loaded, except for private files

    Scenario: Files of the main repository in two folders above the worktree
      Given the Git repository "project"
      And the worktree "project/trees/other" of the Git repository "project"
      And the workspace files "project/{name}", "project/trees/{name}", "project/trees/other/{name}"
      And the working directory "project/trees/other"
      When the tool reads the workspace
      Then the only loaded file is "project/trees/other/{name}"

    Scenario: A worktree without a file, and a private file of the main repository
      Given the Git repository "project"
      And the worktree "project/other" of the Git repository "project"
      And the workspace files "project/CLAUDE.md", "project/CLAUDE.local.md"
      And the working directory "project/other"
      When the tool reads the workspace
      Then the only loaded file is "project/CLAUDE.local.md"

    Scenario: A second repository, whose folder above has a file
      Given the Git repository "project"
      And the Git repository "project/other"
      And the workspace files "project/{name}", "project/other/{name}"
      And the working directory "project/other"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/other/{name}"

  @INS-WALK-23 @clarified @axis:root=git-folder-or-named @axis:walk=project-root
  Rule: In a dialect with root=git-folder-or-named, the root of a project is a folder with a file ".git" that names a folder or with a repository ".git"

    Scenario: A file ".git" that names a folder, which does not exist
      Given the Git repository "outer"
      And the workspace file "outer/project/.git" with nothing but "gitdir: elsewhere"
      And the workspace files "outer/{name}", "outer/project/{name}", "outer/project/a/{name}"
      And the working directory "outer/project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "outer/project/{name}", "outer/project/a/{name}"

    Scenario: An empty folder ".git" in a project
      Given the Git repository "outer"
      And the workspace folder "outer/project/.git"
      And the workspace files "outer/{name}", "outer/project/{name}", "outer/project/a/{name}"
      And the working directory "outer/project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "outer/{name}", "outer/project/{name}", "outer/project/a/{name}"

    Scenario: A link ".git" to a repository
      Given the Git repository "outer"
      And the Git repository "elsewhere"
      And a symbolic link from "outer/project/.git" to "../../elsewhere/.git"
      And the workspace files "outer/{name}", "outer/project/{name}", "outer/project/a/{name}"
      And the working directory "outer/project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "outer/project/{name}", "outer/project/a/{name}"
