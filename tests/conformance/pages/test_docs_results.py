"""The site's pages about other implementations: their results, and their names for the concepts."""

from __future__ import annotations

from loopspec.contract.capabilities import capabilities_of_role
from loopspec.pages import rules
from loopspec.specification.features import compiled
from loopspec.specification.ledger import ledger
from loopspec.specification.names import NO_NAME, names
from loopspec.specification.sources import charged_rule
from loopspec_docs.site.links import slug
from loopspec_docs.site.names import frameworks
from loopspec_docs.site.results import implementations
from loopspec_known.results import results
from loopspec_known.versions import changed_rules, versions

from .conftest import Site, on_one_line


def test_every_rule_has_its_verdict_on_every_implementation(made: Site) -> None:
    """In the row of the rule, in the order of the head."""
    rows: dict[str, list[str | None]] = {}
    for cell in made.page("results.html").all("td"):
        if cell.within and "data-state" in cell.attributes:
            rows.setdefault(cell.within.text.split()[0], []).append(cell.attributes["data-state"])

    every = results().implementations
    assert rows == {rule: [one.verdict(rule) for one in every] for rule in rows}
    assert set(rows) == {rule for one in every for found in one.verdicts.values() for rule in found}


def test_the_sums_are_those_of_readme(made: Site) -> None:
    """By document, for each implementation."""
    text = made.main("results.html")
    rows = [line for line in results().as_markdown().splitlines() if line.startswith("|")]
    cells_of = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    (_, share, *documents), _, _, *implementations = cells_of
    assert [name for name, *_ in implementations] == [one.name for one in results().implementations]
    assert (share, documents.pop()) == ("judged by", "own posture")
    for document, *cells in zip(documents, *(cells for _, _, *cells in implementations), strict=False):
        shown = " ".join("–not judged" if cell == "– · –" else cell for cell in cells)
        assert f"{document} {shown}" in text


def test_every_undeclared_capability_leads_to_its_reason(made: Site) -> None:
    """A row for each capability of an agent, and a reason with a link for each one that an adapter lacks."""
    cells = [cell for cell in made.page("results.html").all("td") if "data-declared" in cell.attributes]
    lacking = [one for one in implementations(()) if one.undeclared is not None]

    assert next(one.key for one in lacking) == "reference"
    said = [cell.attributes["data-declared"] for cell in cells]
    every = capabilities_of_role("agent")
    assert said == ["no" if name in one.left_out else "yes" for name in every for one in lacking]
    for one in lacking:
        for name, reason in one.left_out.items():
            page = made.page(one.address)
            assert made.at(f"{one.address}#without-{name}").text == name
            assert reason.link in {link.attributes.get("href") for link in page.all("a")}


def test_every_known_difference_is_there_with_its_reason_and_its_link(made: Site) -> None:
    """At the rule that fails: its basis, its sentence, the reason, the titles of the cases."""
    of_case = {case.id: case.rule.ids for case in compiled()}
    count = 0
    for one in results().implementations:
        page = f"results/{slug(one.adapter.rpartition('/')[2])}.html"
        links = {e.attributes.get("href") for e in made.page(page).all("a")}
        for difference in one.differences:
            assert not difference.link or difference.link in links
            for case in difference.cases:
                for rule in of_case.get(case, (charged_rule(case),)):
                    text = on_one_line(made.at(f"{page}#known-{rule}").text)
                    row = ledger().rules[rule]
                    chips = row.basis if row.status == "scenario" else f"{row.basis} {row.status}"
                    assert f"{rule} {chips} {on_one_line(rules()[rule].sentence)}" in text
                    assert on_one_line(difference.reason) in text
                    assert on_one_line(case.partition(" :: ")[2]) in text
                    count += 1
    assert count > 100
    assert "No known difference." in made.main("results/reference.html")


def test_a_known_cell_leads_to_its_reason(made: Site) -> None:
    """Every other cell is plain."""
    links = {e.attributes["href"] for e in made.page("results.html").all("a")}
    for one in results().implementations:
        page = f"results/{slug(one.adapter.rpartition('/')[2])}.html"
        assert {f"{page}#known-{rule}" for rule in one.verdicts.get("known", ())} == {
            link for link in links if link and link.startswith(f"{page}#known-")
        }


def test_every_concept_has_its_name_in_every_framework_with_a_link(made: Site) -> None:
    """On the page of the concepts, and on that of the framework; `none` has a link as well."""
    concepts = names().concepts
    assert len(concepts) * len(frameworks()) == 36 * 8
    links = {
        page: [e.attributes.get("href") for e in made.page(page).all("a")] for page in made.pages if "names" in page
    }
    for key, concept in concepts.items():
        shown = on_one_line(made.at(f"names.html#{slug(key)}").text)
        assert shown.startswith(f"{concept.name} {on_one_line(concept.says)}")
        assert all(area in shown for area in concept.areas)
        for framework, name in concept.names().items():
            page = f"names/{framework}.html"
            own = on_one_line(made.at(f"{page}#{slug(key)}").text)
            assert f"{frameworks()[framework].name} {name.name}" in shown
            assert name.link in links["names.html"]
            assert name.link in links[page]
            assert name.note in shown
            assert name.note in own
            assert (name.name in own) == (name.name != NO_NAME)
            assert concept.name in own


def test_a_framework_says_its_version(made: Site) -> None:
    """The one in which its names were looked up, and those of the packages that hold some of them."""
    for key, framework in frameworks().items():
        text = made.main(f"names/{key}.html")
        assert f"{framework.name} {framework.version}" in text
        assert all(f"{name} {version}" in text for name, version in framework.also.items())


def test_an_area_names_its_concepts(made: Site) -> None:
    """With a link to their names in frameworks."""
    for key, concept in names().concepts.items():
        for area in concept.areas:
            links = {e.attributes.get("href") for e in made.page(f"rules/{area}.html").all("a")}
            assert f"../names.html#{slug(key)}" in links


def test_every_version_is_there_with_its_counts_or_its_reason(made: Site) -> None:
    """A version that is not judged has no count; a changed rule has its verdict at each version."""
    text = on_one_line(made.main("versions.html"))
    for target, summaries in versions().items():
        heading = made.at(f"versions.html#{slug(target)}")
        assert heading.within
        section = on_one_line(heading.within.text)
        for one in summaries:
            counts = "– – –" if one.reason else f"{len(one.verdicts['passed'])} {len(one.verdicts['failed'])}"
            assert f"{one.version} {counts}" in section
            assert on_one_line(one.reason) in section
            assert all(on_one_line(gap.reason) in section for gap in one.gaps)
        changed = changed_rules(summaries)
        assert all(rule in section for rule in changed)
        assert changed or "No rule has different verdicts at two of these versions." in section
    assert len(versions()["langchain"]) == 5
    assert "langchain" in text
