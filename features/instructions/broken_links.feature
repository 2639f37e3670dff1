Feature: Links that lead to no instruction file
  A symbolic link with the name of an instruction file can lead to itself, or use a file like a folder. A tool skips
  such a link, loads the file of the next name, drops all files of the name or of the project, or makes the load fail.

  A rule about a load that fails has a second example: the same workspace without the failure.

  {name} stands for the usual file name of the tool, for example AGENTS.md. {first name} stands for the first name in
  the list of the tool. {second name} stands for the second name in the list of the tool. {global} stands for the
  place of the tool's global file, below the home folder.

  @INS-ERROR-08 @clarified @axis:link-loop=skipped
  Rule: In a dialect with link-loop=skipped, an instruction file that is a symbolic link to itself is skipped

    Scenario: A link to itself above a readable file
      Given the Git repository "project"
      And a symbolic link from "project/{name}" to itself
      And the workspace file "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/a/{name}"

    Scenario: A link to itself below a readable file
      Given the Git repository "project"
      And a symbolic link from "project/a/{name}" to itself
      And the workspace file "project/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

  @INS-ERROR-09 @clarified @axis:link-loop=next-name
  Rule: In a dialect with link-loop=next-name, in place of an instruction file that is a symbolic link to itself, the file of the next name is loaded

    Scenario: A link to itself with the first name
      Given the Git repository "project"
      And a symbolic link from "project/{first name}" to itself
      And the workspace file "project/{second name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{second name}"

    Scenario: A link to itself with the usual name, in a folder above a readable file
      Given the Git repository "project"
      And a symbolic link from "project/{name}" to itself
      And the workspace file "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/a/{name}"

  @INS-ERROR-10 @clarified @axis:link-loop=drops-name
  Rule: In a dialect with link-loop=drops-name, if one instruction file is a symbolic link to itself, no file of its name is loaded

    Scenario: A link to itself and a readable file of the same name, with a file of the second name
      Given the Git repository "project"
      And a symbolic link from "project/{first name}" to itself
      And the workspace files "project/{second name}", "project/a/{first name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/{second name}"

    @axis:selection=one-name-per-project
    Scenario: Two readable files of the same name, with a file of the second name
      Given the Git repository "project"
      And the workspace files "project/{first name}", "project/{second name}", "project/a/{first name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/{first name}", "project/a/{first name}"

  @INS-ERROR-11 @clarified @axis:link-loop=drops-project
  Rule: In a dialect with link-loop=drops-project, if one instruction file is a symbolic link to itself, no file of the project is loaded

    Scenario: A link to itself above a readable file, and a global file
      Given the Git repository "project"
      And a symbolic link from "project/{name}" to itself
      And the workspace files "home/{global}", "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "home/{global}"

  @INS-ERROR-12 @clarified @axis:link-loop=ends
  Rule: In a dialect with link-loop=ends, an instruction file that is a symbolic link to itself makes the load fail

    Scenario: A link to itself next to a readable file
      Given the Git repository "project"
      And a symbolic link from "project/{name}" to itself
      And the workspace file "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then loading fails

    Scenario: A link to another file of the project
      Given the Git repository "project"
      And the workspace file "project/notes.md"
      And a symbolic link from "project/{name}" to "notes.md"
      When the tool reads the workspace
      Then the only loaded file is "project/notes.md"

  @INS-ERROR-13 @clarified @axis:through-file=next-name
  Rule: In a dialect with through-file=next-name, in place of an instruction file that is a symbolic link whose target uses a file like a folder, the file of the next name is loaded

    Scenario: A link through a file with the first name
      Given the Git repository "project"
      And the workspace files "project/notes.md", "project/{second name}"
      And a symbolic link from "project/{first name}" to "notes.md/more.md"
      When the tool reads the workspace
      Then the only loaded file is "project/{second name}"

    Scenario: A link through a file with the usual name, above a readable file
      Given the Git repository "project"
      And the workspace files "project/notes.md", "project/a/{name}"
      And a symbolic link from "project/{name}" to "notes.md/more.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/a/{name}"

  @INS-ERROR-14 @clarified @axis:through-file=drops-name
  Rule: In a dialect with through-file=drops-name, if one instruction file is a symbolic link whose target uses a file like a folder, no file of its name is loaded

    Scenario: A link through a file and a readable file of the same name, with a file of the second name
      Given the Git repository "project"
      And the workspace files "project/notes.md", "project/{second name}", "project/a/{first name}"
      And a symbolic link from "project/{first name}" to "notes.md/more.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/{second name}"

  @INS-ERROR-15 @clarified @axis:through-file=drops-project
  Rule: In a dialect with through-file=drops-project, if one instruction file is a symbolic link whose target uses a file like a folder, no file of the project is loaded

    Scenario: A link through a file above a readable file, and a global file
      Given the Git repository "project"
      And the workspace files "home/{global}", "project/notes.md", "project/a/{name}"
      And a symbolic link from "project/{name}" to "notes.md/more.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "home/{global}"

    Scenario: A link to a missing file above a readable file, and a global file
      Given the Git repository "project"
      And the workspace files "home/{global}", "project/a/{name}"
      And a symbolic link from "project/{name}" to "notes.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "home/{global}", "project/a/{name}"

  @INS-ERROR-16 @clarified @axis:through-file=ends
  Rule: In a dialect with through-file=ends, an instruction file that is a symbolic link whose target uses a file like a folder makes the load fail

    Scenario: A link through a file next to a readable file
      Given the Git repository "project"
      And the workspace files "project/notes.md", "project/a/{name}"
      And a symbolic link from "project/{name}" to "notes.md/more.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then loading fails

    Scenario: A link to a missing file next to a readable file
      Given the Git repository "project"
      And the workspace file "project/a/{name}"
      And a symbolic link from "project/{name}" to "notes.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/a/{name}"
