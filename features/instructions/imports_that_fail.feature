Feature: The limits of imports
  An imported file can import files itself. A file can be missing, be outside the project, be imported twice, or
  import the file that imports it. Tools answer by a comment in the text, by silence, or by ending the load.

  An import from outside the project can send private data of the user to a model. Tools therefore refuse such an
  import, ask the user, or load the file. The project is the Git repository of the importing file, or for some tools
  only its working directory.

  {name} stands for the usual file name of the tool, for example AGENTS.md. {global} stands for the place of the
  tool's global file, below the home folder.

  @INS-IMPORT-09 @clarified @axis:import-depth=4
  Rule: In a dialect with import-depth=4, only imports up to four levels deep are loaded

    Scenario: A chain of five imports
      Given the Git repository "project"
      And workspace files with contents
        | path           | content  |
        | project/{name} | @./1.md  |
        | project/1.md   | @./2.md  |
        | project/2.md   | @./3.md  |
        | project/3.md   | @./4.md  |
        | project/4.md   | @./5.md  |
        | project/5.md   | Be brief |
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/1.md", "project/2.md", "project/3.md", "project/4.md"

  @INS-IMPORT-10 @clarified @axis:import-depth=5
  Rule: In a dialect with import-depth=5, only imports up to five levels deep are loaded

    Scenario: A chain of six imports
      Given the Git repository "project"
      And workspace files with contents
        | path           | content  |
        | project/{name} | @./1.md  |
        | project/1.md   | @./2.md  |
        | project/2.md   | @./3.md  |
        | project/3.md   | @./4.md  |
        | project/4.md   | @./5.md  |
        | project/5.md   | @./6.md  |
        | project/6.md   | Be brief |
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/1.md", "project/2.md", "project/3.md", "project/4.md", "project/5.md"
      And the loaded text contains "@./6.md"

  @INS-IMPORT-17 @clarified @axis:import-missing=text
  Rule: In a dialect with import-missing=text, an import of a missing file stays in the text

    Scenario: An import of a missing file between two words
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "before @./missing.md after\n"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"
      And the loaded text contains "before @./missing.md after"

    Scenario: An import of a missing file, and an import after it
      Given the Git repository "project"
      And the workspace file "project/notes.md"
      And the workspace file "project/{name}" containing "@./missing.md\n@./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"
      And the loaded text contains "@./missing.md"

  @INS-IMPORT-18 @clarified @axis:import-missing=comment
  Rule: In a dialect with import-missing=comment, an HTML comment takes the place of an import of a missing file

    Scenario: A comment in place of an import of a missing file
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "before @./missing.md after\n"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"
      And the loaded text contains, in this order, "before", "<!--" and "after"
      And the loaded text does not contain "@./missing.md"

  @INS-IMPORT-19 @clarified @axis:import-unreadable=comment
  Rule: In a dialect with import-unreadable=comment, an HTML comment takes the place of an import of a folder

    Scenario: A comment in place of an import of a folder
      Given the Git repository "project"
      And the workspace folder "project/docs"
      And the workspace file "project/{name}" containing "before @./docs after\n"
      When the tool reads the workspace
      Then the only loaded file is "project/{name}"
      And the loaded text contains, in this order, "before", "<!--" and "after"

  @INS-IMPORT-20 @clarified @axis:import-unreadable=ends
  Rule: In a dialect with import-unreadable=ends, an import of a folder makes the load fail

    Scenario: An import of a folder
      Given the Git repository "project"
      And the workspace folder "project/docs"
      And the workspace file "project/{name}" containing "before @./docs after\n"
      When the tool reads the workspace
      Then loading fails

    Scenario: An import of a file with the same name
      Given the Git repository "project"
      And the workspace file "project/docs"
      And the workspace file "project/{name}" containing "before @./docs after\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/docs"

  @INS-IMPORT-47 @clarified @axis:import-unreadable=text
  Rule: In a dialect with import-unreadable=text, an import of a folder stays in the text

    Scenario: An import of a folder, and an import after it
      Given the Git repository "project"
      And the workspace folder "project/docs"
      And the workspace file "project/notes.md"
      And the workspace file "project/{name}" containing "before @./docs after\n@./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"
      And the loaded text contains "before @./docs after"

  @INS-IMPORT-21 @clarified @axis:import-outside=refused
  Rule: In a dialect with import-outside=refused, an import from outside the project is not loaded

    Scenario: An import from a folder next to the project
      Given the Git repository "project"
      And the workspace files "elsewhere/notes.md", "project/notes.md"
      And the workspace file "project/{name}" containing "@../elsewhere/notes.md\n@./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

    Scenario: An import from a folder whose name begins with the name of the project
      Given the Git repository "project"
      And the workspace files "project-2/notes.md", "project/notes.md"
      And the workspace file "project/{name}" containing "@../project-2/notes.md\n@./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

  @INS-IMPORT-22 @clarified @axis:import-outside=asks
  Rule: In a dialect with import-outside=asks, an import from outside the project is loaded only if the user has agreed

    Scenario: The user has not agreed to an import from a folder next to the project
      Given the Git repository "project"
      And the workspace files "elsewhere/notes.md", "project/notes.md"
      And the workspace file "project/{name}" containing "@../elsewhere/notes.md\n@./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

    Scenario: The user has agreed to an import from a folder next to the project
      Given the Git repository "project"
      And the workspace file "elsewhere/notes.md"
      And the workspace file "project/{name}" containing "@../elsewhere/notes.md\n"
      And the user has agreed to imports from outside the project
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "elsewhere/notes.md"

  @INS-IMPORT-23 @clarified @axis:import-outside=loaded
  Rule: In a dialect with import-outside=loaded, an import from outside the project is loaded even without the agreement of the user

    Scenario: An import from a folder next to the project, which is loaded
      Given the Git repository "project"
      And the workspace file "elsewhere/notes.md"
      And the workspace file "project/{name}" containing "@../elsewhere/notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "elsewhere/notes.md"

  @INS-IMPORT-24 @clarified @axis:import-links=as-written @axis:import-outside=refused
  Rule: In a dialect with import-links=as-written, an import of a symbolic link in the project that leads out of the project is loaded

    Scenario: An import of a link out of the project
      Given the Git repository "project"
      And the workspace file "elsewhere/notes.md"
      And a symbolic link from "project/link.md" to "../elsewhere/notes.md"
      And the workspace file "project/{name}" containing "@./link.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "elsewhere/notes.md"

  @INS-IMPORT-25 @clarified @axis:import-links=real-path @axis:import-outside=refused
  Rule: In a dialect with import-links=real-path, an import of a symbolic link in the project that leads out of the project is not loaded

    Scenario: An import of a link out of the project, and of a link within the project
      Given the Git repository "project"
      And the workspace files "elsewhere/notes.md", "project/notes.md"
      And a symbolic link from "project/outward.md" to "../elsewhere/notes.md"
      And a symbolic link from "project/inward.md" to "notes.md"
      And the workspace file "project/{name}" containing "@./outward.md\n@./inward.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

  @INS-IMPORT-48 @clarified @axis:import-boundary=project
  Rule: In a dialect with import-boundary=project, an import of any file of the project is loaded, even from above the working directory

    Scenario: An import from the folder above the working directory
      Given the Git repository "project"
      And the workspace file "project/notes.md"
      And the workspace file "project/a/{name}" containing "@../notes.md\n"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/a/{name}", "project/notes.md"

  @INS-IMPORT-49 @clarified @axis:import-boundary=working-directory @axis:import-outside=asks
  Rule: In a dialect with import-boundary=working-directory, an import from above the working directory is treated as an import from outside the project

    Scenario: A file above the working directory that imports a file next to it, and a file of the working directory
      Given the Git repository "project"
      And the workspace files "project/notes.md", "project/a/notes.md"
      And the workspace file "project/{name}" containing "@./notes.md\n@./a/notes.md\n"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/a/notes.md"

    Scenario: A file of the working directory that imports a file of the folder above
      Given the Git repository "project"
      And the workspace file "project/notes.md"
      And the workspace file "project/a/{name}" containing "@../notes.md\n"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the only loaded file is "project/a/{name}"

  @INS-IMPORT-50 @clarified @axis:import-global=no @axis:import-outside=refused
  Rule: In a dialect with import-global=no, the global file imports no file from outside its own folder

    Scenario: An import of the global file from the home folder
      Given the Git repository "project"
      And the workspace file "home/{global}" containing "@../notes.md\n"
      And the workspace file "home/notes.md"
      When the tool reads the workspace
      Then the only loaded file is "home/{global}"

    @axis:global-file=gemini
    Scenario: An import of the global file from its own folder
      Given the Git repository "project"
      And the workspace file "home/.gemini/GEMINI.md" containing "@./notes.md\n"
      And the workspace file "home/.gemini/notes.md"
      When the tool reads the workspace
      Then the loaded files are "home/.gemini/GEMINI.md", "home/.gemini/notes.md"

  @INS-IMPORT-51 @clarified @axis:import-global=yes
  Rule: In a dialect with import-global=yes, the global file imports files from outside its own folder without the agreement of the user

    Scenario: Imports of the global file from the home folder and from a folder next to the project
      Given the Git repository "project"
      And the workspace file "home/{global}" containing "@../notes.md\n@../../elsewhere/notes.md\n"
      And the workspace files "home/notes.md", "elsewhere/notes.md"
      When the tool reads the workspace
      Then the loaded files are "home/{global}", "home/notes.md", "elsewhere/notes.md"

  @INS-IMPORT-29 @clarified @axis:import-repeat=again
  Rule: In a dialect with import-repeat=again, a file that is imported twice is loaded twice

    Scenario: Two mentions of a file in one file
      Given the Git repository "project"
      And the workspace file "project/notes.md"
      And the workspace file "project/{name}" containing "@./notes.md\n@./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md", "project/notes.md"

    Scenario: Two files that import the same file
      Given the Git repository "project"
      And workspace files with contents
        | path             | content             |
        | project/{name}   | @./1.md\n@./2.md    |
        | project/1.md     | @./notes.md         |
        | project/2.md     | @./notes.md         |
        | project/notes.md | Be brief            |
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/1.md", "project/notes.md", "project/2.md", "project/notes.md"

    Scenario: An import of the instruction file of the folder below
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "@./a/{name}\n"
      And the workspace file "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/a/{name}", "project/a/{name}"

  @INS-IMPORT-30 @clarified @axis:import-repeat=once
  Rule: In a dialect with import-repeat=once, a file that is imported twice is loaded once

    Scenario: Two mentions of a file in one file, loaded once
      Given the Git repository "project"
      And the workspace file "project/notes.md"
      And the workspace file "project/{name}" containing "@./notes.md\n@./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

    Scenario: Two files that import the same file, loaded once
      Given the Git repository "project"
      And workspace files with contents
        | path             | content             |
        | project/{name}   | @./1.md\n@./2.md    |
        | project/1.md     | @./notes.md         |
        | project/2.md     | @./notes.md         |
        | project/notes.md | Be brief            |
      When the tool reads the workspace
      Then in any order, the loaded files are "project/{name}", "project/1.md", "project/2.md", "project/notes.md"

    Scenario: An import of the instruction file of the folder below, loaded once
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "@./a/{name}\n"
      And the workspace file "project/a/{name}"
      And the working directory "project/a"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/a/{name}"

  @INS-IMPORT-31 @clarified @axis:import-cycle=comment
  Rule: In a dialect with import-cycle=comment, an HTML comment takes the place of an import that closes a cycle

    Scenario: A comment in place of a mention in two files that import each other
      Given the Git repository "project"
      And workspace files with contents
        | path           | content              |
        | project/{name} | @./1.md              |
        | project/1.md   | @./2.md              |
        | project/2.md   | before @./1.md after |
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/1.md", "project/2.md"
      And the loaded text contains, in this order, "before", "<!--" and "after"

  @INS-IMPORT-32 @clarified @axis:import-cycle=silent
  Rule: In a dialect with import-cycle=silent, an import that closes a cycle adds nothing to the text

    Scenario: Two files that import each other
      Given the Git repository "project"
      And workspace files with contents
        | path           | content              |
        | project/{name} | @./1.md              |
        | project/1.md   | @./2.md              |
        | project/2.md   | before @./1.md after |
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/1.md", "project/2.md"
      And the loaded text contains "before @./1.md after"
      And the loaded text does not contain "<!--"

  @INS-IMPORT-33 @clarified @axis:import-own-file=never
  Rule: In a dialect with import-own-file=never, a file that imports itself is loaded once

    Scenario: A mention of the file itself, and an import
      Given the Git repository "project"
      And the workspace file "project/notes.md"
      And the workspace file "project/{name}" containing "@./{name}\n@./notes.md\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/notes.md"

  @INS-IMPORT-34 @clarified @axis:import-own-file=once-more
  Rule: In a dialect with import-own-file=once-more, a file that imports itself is loaded twice

    Scenario: A mention of the file itself
      Given the Git repository "project"
      And the workspace file "project/{name}" containing "before @./{name} after\n"
      When the tool reads the workspace
      Then the loaded files are "project/{name}", "project/{name}"
      And the loaded text contains "before" 2 times
