Feature: Instruction files that cannot be read
  A folder or a broken link can have the name of an instruction file, a file can be unreadable, and its bytes can be
  other than UTF-8. Few tools report any of this, so a user learns from a rule alone what a model receives.

  @INS-ERROR-01 @clarified @axis:not-a-file=next-name
  Rule: A folder with the name of an instruction file is skipped, and the file of the next name is loaded

    Scenario: A folder with the first name
      Given the Git repository "project"
      And the workspace folders "project/{first name}"
      And the workspace files "project/{second name}"
      When the tool reads the workspace
      Then the loaded files are "project/{second name}"

    Scenario: A named pipe with the first name
      Given the Git repository "project"
      And the named pipe "project/{first name}"
      And the workspace files "project/{second name}"
      When the tool reads the workspace
      Then the loaded files are "project/{second name}"

  @INS-ERROR-02 @clarified @axis:not-a-file=hides
  Rule: A folder with the name of an instruction file hides the file of the next name

    Scenario: A folder with the first name, above a readable file
      Given the Git repository "project"
      And the workspace folders "project/{first name}"
      And the workspace files "project/{second name}", "project/a/{first name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/a/{first name}"

  @INS-ERROR-03 @clarified @axis:not-a-file=ends
  Rule: A folder with the name of an instruction file ends the load

    Scenario: A folder with the usual name
      Given the Git repository "project"
      And the workspace folders "project/{name}"
      And the workspace files "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then loading fails

    Scenario: A file with the usual name
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/{name}", "project/a/{name}"

  @INS-ERROR-08 @clarified @axis:link-loop=skipped
  Rule: An instruction file that is a link to itself is skipped

    Scenario: A link to itself above a readable file
      Given the Git repository "project"
      And the unreadable workspace file "project/{name}"
      And the workspace files "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/a/{name}"

  @INS-ERROR-09 @clarified @axis:link-loop=next-name
  Rule: In place of an instruction file that is a link to itself, the file of the next name is loaded

    Scenario: A link to itself with the first name
      Given the Git repository "project"
      And the unreadable workspace file "project/{first name}"
      And the workspace files "project/{second name}"
      When the tool reads the workspace
      Then the loaded files are "project/{second name}"

  @INS-ERROR-11 @clarified @axis:link-loop=drops-project
  Rule: If one instruction file is a link to itself, no file of the project is loaded

    Scenario: A link to itself above a readable file, and a global file
      Given the Git repository "project"
      And the unreadable workspace file "project/{name}"
      And the workspace files "home/{global}", "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "home/{global}"

  @INS-ERROR-12 @clarified @axis:link-loop=ends
  Rule: An instruction file that is a link to itself ends the load

    Scenario: A link to itself next to a readable file
      Given the Git repository "project"
      And the unreadable workspace file "project/{name}"
      And the workspace files "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then loading fails

  @INS-ERROR-17 @clarified @axis:bad-bytes=replaced
  Rule: In an instruction file that is not UTF-8, replacement characters take the place of the invalid bytes

    Scenario: One wrong byte between two lines
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "before \xff after"
      When the tool reads the workspace
      Then the loaded files are "project/{name}"
      And the loaded text contains "before \ufffd after"

  @INS-ERROR-18 @clarified @axis:bad-bytes=ends
  Rule: An instruction file that is not UTF-8 ends the load

    Scenario: One wrong byte
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "before \xff after"
      When the tool reads the workspace
      Then loading fails

    Scenario: A text of UTF-8 beyond ASCII
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "before \u00e9 after"
      When the tool reads the workspace
      Then the loaded text contains "before \u00e9 after"
