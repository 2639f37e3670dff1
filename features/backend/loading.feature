Feature: A backend that serves instructions files
  The point of a backend is that files are loaded through it. Here a loader,
  the reference's own, loads a project of a dozen files in four folders from
  it: one file is missing and two import each other.

  The project is the folder "example" beside the features.

  @BACKEND-05 @clarified
  Rule: A loader gets a whole project from it, and is told what is missing

    Scenario: The example project
      Given the stored example project
      When a loader loads "Agents.md" from the backend
      Then the files shown are "Agents.md", "context/overview.md", "context/timetables.md", "context/architecture.md", "context/decisions.md", "rules/code-style.md", "rules/testing.md", "rules/commits.md", "rules/reviews.md", "teams/owners.yaml", "teams/rota.md"
      And the warnings name "context/architecture.md", "rules/templates/commit.txt"
      And the section of "context/timetables.md" is as it is stored

    Scenario: A file of the project is forbidden
      Given the stored example project
      And the backend may not read "rules/testing.md"
      When a loader loads "Agents.md" from the backend
      Then loading fails
      And the files shown are nothing
