Feature: Instruction files that cannot be read
  A folder or a named pipe can have the name of an instruction file. A file can lack read permission, or contain bytes
  that are not UTF-8. A tool skips such a file, loads the file of the next name, drops all files of the name or of the
  project, or makes the load fail. Few tools report a failure.

  A rule about a load that fails has a second example: the same workspace without the failure.

  {name} stands for the usual file name of the tool, for example AGENTS.md. {first name} stands for the first name in
  the list of the tool. {second name} stands for the second name in the list of the tool. {global} stands for the
  place of the tool's global file, below the home folder.

  @INS-ERROR-01 @clarified @axis:not-a-file=next-name
  Rule: In a dialect with not-a-file=next-name, if a folder has the name of an instruction file, the file of the next name is loaded

    Scenario: A folder with the first name
      Given the Git repository "project"
      And the workspace folder "project/{first name}"
      And the workspace file "project/{second name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{second name}"

    Scenario: A folder with the usual name above a readable file
      Given the Git repository "project"
      And the workspace folder "project/{name}"
      And the workspace file "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/a/{name}"

    @axis:selection=first-in-folder
    Scenario: A named pipe with the first name
      Given the Git repository "project"
      And the named pipe "project/{first name}"
      And the workspace file "project/{second name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{second name}"

  @INS-ERROR-02 @clarified @axis:not-a-file=hides
  Rule: In a dialect with not-a-file=hides, if a folder has the name of an instruction file, the file of the next name is not loaded

    Scenario: A folder with the first name, above a readable file
      Given the Git repository "project"
      And the workspace folder "project/{first name}"
      And the workspace files "project/{second name}", "project/a/{first name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/a/{first name}"

    Scenario: A folder with the first name, next to a file of the second name
      Given the Git repository "project"
      And the workspace folder "project/{first name}"
      And the workspace files "home/{global}", "project/{second name}"
      When the tool reads the workspace
      Then the only loaded file is "home/{global}"

    @axis:walk=working-directory
    Scenario: A folder with the first name in the only searched folder
      Given the Git repository "project"
      And the workspace folder "project/{first name}"
      And the workspace file "project/{second name}"
      When the tool reads the workspace
      Then no file is loaded

  @INS-ERROR-03 @clarified @axis:not-a-file=ends
  Rule: In a dialect with not-a-file=ends, a folder with the name of an instruction file makes the load fail

    Scenario: A folder with the usual name
      Given the Git repository "project"
      And the workspace folder "project/{name}"
      And the workspace file "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then loading fails

    Scenario: A file with the usual name
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/{name}", "project/a/{name}"

  @INS-ERROR-19 @clarified @axis:not-a-file=pipe-ends
  Rule: In a dialect with not-a-file=pipe-ends, a named pipe with the name of an instruction file makes the load fail

    Scenario: A named pipe with the first name, and a file of the second name
      Given the Git repository "project"
      And the named pipe "project/{first name}"
      And the workspace file "project/{second name}"
      When the tool reads the workspace
      Then loading fails

    Scenario: A folder in place of the named pipe
      Given the Git repository "project"
      And the workspace folder "project/{first name}"
      And the workspace file "project/{second name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{second name}"

  @INS-ERROR-04 @clarified @axis:unreadable=skipped
  Rule: In a dialect with unreadable=skipped, an instruction file without read permission is skipped

    Scenario: A file without read permission above a readable file
      Given the Git repository "project"
      And the workspace file "project/{name}" without read permission
      And the workspace file "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/a/{name}"

    @axis:selection=one-name-per-project
    Scenario: A file of the first name without read permission, next to a readable file of the second name
      Given the Git repository "project"
      And the workspace file "project/{first name}" without read permission
      And the workspace files "home/{global}", "project/{second name}"
      When the tool reads the workspace
      Then the only loaded file is "home/{global}"

    @axis:walk=working-directory
    Scenario: A file without read permission in the only searched folder
      Given the Git repository "project"
      And the workspace file "project/{first name}" without read permission
      And the workspace file "project/{second name}"
      When the tool reads the workspace
      Then no file is loaded

  @INS-ERROR-05 @clarified @axis:unreadable=next-name
  Rule: In a dialect with unreadable=next-name, in place of an instruction file without read permission, the file of the next name is loaded

    Scenario: Two names in one folder, the first file without read permission
      Given the Git repository "project"
      And the workspace file "project/{first name}" without read permission
      And the workspace file "project/{second name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{second name}"

    @axis:selection=first-in-folder
    Scenario: Two names in one folder, both files readable
      Given the Git repository "project"
      And the workspace files "project/{first name}", "project/{second name}"
      When the tool reads the workspace
      Then the only loaded file is "project/{first name}"

  @INS-ERROR-06 @clarified @axis:unreadable=drops-project
  Rule: In a dialect with unreadable=drops-project, if one instruction file has no read permission, no file of the project is loaded

    Scenario: A file without read permission above a readable file, and a global file
      Given the Git repository "project"
      And the workspace file "project/{name}" without read permission
      And the workspace files "home/{global}", "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "home/{global}"

    Scenario: A file without read permission below a readable file, and a global file
      Given the Git repository "project"
      And the workspace file "project/a/{name}" without read permission
      And the workspace files "home/{global}", "project/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "home/{global}"

  @INS-ERROR-07 @clarified @axis:unreadable=ends
  Rule: In a dialect with unreadable=ends, an instruction file without read permission makes the load fail

    Scenario: A file without read permission next to a readable file in a folder below
      Given the Git repository "project"
      And the workspace file "project/{name}" without read permission
      And the workspace file "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then loading fails

    Scenario: The user has permission to read both files
      Given the Git repository "project"
      And the workspace files "project/{name}", "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then in any order, the loaded files are "project/{name}", "project/a/{name}"

  @INS-ERROR-17 @clarified @axis:bad-bytes=replaced
  Rule: In a dialect with bad-bytes=replaced, replacement characters take the place of bytes that are not UTF-8 in an instruction file

    Scenario Outline: <situation>
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "<stored>"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"
      And the loaded text contains "<loaded>"

      Examples:
        | situation                      | stored                 | loaded                 |
        | One wrong byte between words   | before \xff after      | before \ufffd after    |
        | A letter of Latin-1            | caf\xe9 au lait        | caf\ufffd au lait      |
        | A character beyond ASCII       | caf\u00e9 au lait      | caf\u00e9 au lait      |

  @INS-ERROR-18 @clarified @axis:bad-bytes=ends
  Rule: In a dialect with bad-bytes=ends, an instruction file that is not UTF-8 makes the load fail

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
