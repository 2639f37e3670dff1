Feature: Links to instruction files
  A symbolic link can give one file two paths in a project, and can lead out of the project.

  @INS-LINK-01 @clarified @axis:links=each-path
  Rule: A file that two instruction paths lead to is loaded once for each path

    Scenario: A link to the file of the folder above
      Given the Git repository "project"
      And the workspace files "project/{name}"
      And a link from "project/a/{name}" to "../{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/{name}"

  @INS-LINK-02 @clarified @axis:links=real-path
  Rule: A file that a link and its own path lead to is loaded once

    Scenario: A link to the file of the folder above, loaded once
      Given the Git repository "project"
      And the workspace files "project/{name}"
      And a link from "project/a/{name}" to "../{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/{name}"

  @INS-LINK-04 @clarified @axis:outside-links=followed
  Rule: An instruction file that is a link out of the project is loaded

    Scenario: A link to a file next to the project
      Given the Git repository "project"
      And the workspace files "elsewhere/notes.md"
      And a link from "project/{name}" to "../elsewhere/notes.md"
      When the tool reads the workspace
      Then the loaded files are "elsewhere/notes.md"

  @INS-LINK-05 @clarified @axis:outside-links=ends
  Rule: An instruction file that is a link out of the project ends the load

    Scenario: A link out of the project ends the load
      Given the Git repository "project"
      And the workspace files "elsewhere/notes.md", "project/a/{name}"
      And a link from "project/{name}" to "../elsewhere/notes.md"
      And the working directory "project/a"
      When the tool reads the workspace
      Then loading fails

    Scenario: A link within the project
      Given the Git repository "project"
      And the workspace files "project/notes.md"
      And a link from "project/{name}" to "notes.md"
      When the tool reads the workspace
      Then the loaded files are "project/notes.md"
