Feature: Links to instruction files
  Many projects have one instruction file with several names: a symbolic link gives the file a second path, and so does a
  hard link. "Link" alone means a symbolic link in the titles. Some tools load such a file once for each path. Other tools
  compare the files that the paths lead to.

  A symbolic link can also lead out of the project; most tools follow it. A link to itself, or through a file, leads to no
  text: a tool skips it, loads the file of the next name, drops all files of the name or of the project, or fails.

  {name} stands for the usual file name of the tool, for example AGENTS.md. {first name} stands for the first name in
  the list of the tool. {second name} stands for the second name in the list of the tool. {global} stands for the
  place of the tool's global file, below the home folder.

  @INS-LINK-01 @clarified @axis:links=each-path
  Rule: In a dialect with links=each-path, a file that is found under several paths is loaded once for each path

    Scenario: A link to the file of the folder above
      Given the Git repository "project"
      And the workspace file "project/{name}"
      And a symbolic link from "project/a/{name}" to "../{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/{name}"

    Scenario: A hard link to the file of the folder above
      Given the Git repository "project"
      And the workspace file "project/{name}"
      And a hard link from "project/a/{name}" to "../{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/{name}"

  @INS-LINK-02 @clarified @axis:links=real-path
  Rule: In a dialect with links=real-path, a file that is found under its own path and through a symbolic link is loaded once

    Scenario: A link to the file of the folder above, loaded once
      Given the Git repository "project"
      And the workspace file "project/{name}"
      And a symbolic link from "project/a/{name}" to "../{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

    Scenario: A hard link to the file of the folder above, which has another real path
      Given the Git repository "project"
      And the workspace file "project/{name}"
      And a hard link from "project/a/{name}" to "../{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/{name}"

  @INS-LINK-03 @clarified @axis:links=same-file
  Rule: In a dialect with links=same-file, a file that is found under two hard links is loaded once

    Scenario: A hard link to the file of the folder above, which is the same file
      Given the Git repository "project"
      And the workspace file "project/{name}"
      And a hard link from "project/a/{name}" to "../{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

    Scenario: A link to the file of the folder above, which is the same file
      Given the Git repository "project"
      And the workspace file "project/{name}"
      And a symbolic link from "project/a/{name}" to "../{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

    Scenario: Two files with the same content
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "Be brief."
      And the workspace file "project/a/{name}" with nothing but "Be brief."
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded text contains "Be brief." 2 times

  @INS-LINK-04 @clarified @axis:outside-links=followed
  Rule: In a dialect with outside-links=followed, an instruction file that is a symbolic link out of the project is loaded

    Scenario: A link to a file next to the project
      Given the Git repository "project"
      And the workspace file "elsewhere/notes.md"
      And a symbolic link from "project/{name}" to "../elsewhere/notes.md"
      When the tool reads the workspace
      Then the only loaded file is "elsewhere/notes.md"

    Scenario: A link from a folder of the project to a file next to the project
      Given the Git repository "project"
      And the workspace file "elsewhere/notes.md"
      And a symbolic link from "project/a/{name}" to "../../elsewhere/notes.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "elsewhere/notes.md"

  @INS-LINK-05 @clarified @axis:outside-links=ends
  Rule: In a dialect with outside-links=ends, an instruction file that is a symbolic link out of the project makes the load fail

    Scenario: A link out of the project makes the load fail
      Given the Git repository "project"
      And the workspace files "elsewhere/notes.md", "project/a/{name}"
      And a symbolic link from "project/{name}" to "../elsewhere/notes.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then loading fails

    Scenario: A link within the project
      Given the Git repository "project"
      And the workspace file "project/notes.md"
      And a symbolic link from "project/{name}" to "notes.md"
      When the tool reads the workspace
      Then the only loaded file is "project/notes.md"

  @INS-LINK-06 @clarified @axis:links=same-text
  Rule: In a dialect with links=same-text, a file with the same text as a loaded file is not loaded

    Scenario: Two files with the same text
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "Be brief."
      And the workspace file "project/a/{name}" with nothing but "Be brief."
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded text contains "Be brief." 1 time

    @axis:selection=every-name
    Scenario: Two files of one folder with the same text
      Given the Git repository "project"
      And the workspace file "project/{first name}" with nothing but "Be brief."
      And the workspace file "project/{second name}" with nothing but "Be brief."
      When the tool reads the workspace
      Then the loaded text contains "Be brief." 1 time

    Scenario: Two files that differ in an empty line
      Given the Git repository "project"
      And the workspace file "project/{name}" with nothing but "Be brief."
      And the workspace file "project/a/{name}" with nothing but "Be brief.\n"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded text contains "Be brief." 2 times

    Scenario: A link to the file of the folder above, which has the same text
      Given the Git repository "project"
      And the workspace file "project/{name}"
      And a symbolic link from "project/a/{name}" to "../{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"

  @INS-LINK-07 @clarified @axis:outside-links=skipped
  Rule: In a dialect with outside-links=skipped, an instruction file that is a symbolic link out of the project is not loaded

    Scenario: A link out of the project, and a link within the project
      Given the Git repository "project"
      And the workspace files "elsewhere/notes.md", "project/notes.md"
      And a symbolic link from "project/{name}" to "../elsewhere/notes.md"
      And a symbolic link from "project/a/{name}" to "../notes.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/notes.md"

    @axis:selection=one-name-per-project
    Scenario: A link out of the project hides the file of the second name
      Given the Git repository "project"
      And the workspace files "elsewhere/notes.md", "project/{second name}"
      And a symbolic link from "project/{first name}" to "../elsewhere/notes.md"
      When the tool reads the workspace
      Then no file is loaded

  @INS-LINK-08 @clarified @axis:outside-links=own-folder
  Rule: In a dialect with outside-links=own-folder, an instruction file that is a symbolic link out of its own folder is not loaded

    Scenario: A link to a file of the folder below
      Given the Git repository "project"
      And the workspace file "project/docs/notes.md"
      And a symbolic link from "project/{name}" to "docs/notes.md"
      When the tool reads the workspace
      Then no file is loaded

    Scenario: A link to another file of the folder
      Given the Git repository "project"
      And the workspace file "project/notes.md"
      And a symbolic link from "project/{name}" to "notes.md"
      When the tool reads the workspace
      Then the only loaded file is "project/notes.md"

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
