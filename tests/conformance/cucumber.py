"""Cucumber's programs for its messages, installed where Node and a network are available."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

# The versions that the messages are written for; a later version may require more.
PACKAGES = ("@cucumber/html-formatter@24", "@cucumber/messages@34")
FORMAT = """\
import fs from "node:fs";
import readline from "node:readline";
import { CucumberHtmlStream } from "@cucumber/html-formatter";

const [messages, page] = process.argv.slice(2);
const formatter = new CucumberHtmlStream();
formatter.pipe(fs.createWriteStream(page));
for await (const line of readline.createInterface({ input: fs.createReadStream(messages) })) {
  formatter.write(JSON.parse(line));
}
formatter.end();
"""


@dataclass(frozen=True)
class Cucumber:
    """Cucumber's programs, installed in a folder."""

    folder: Path

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of a message."""
        path = self.folder / "node_modules/@cucumber/messages/messages.schema.json"
        schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))  # Any: JSON
        return schema

    def version(self, package: str) -> str:
        """The version of an installed package."""
        path = self.folder / "node_modules" / package / "package.json"
        return str(json.loads(path.read_text(encoding="utf-8"))["version"])

    def page(self, messages: Path) -> Path:
        """Make an HTML page of messages with Cucumber's formatter."""
        page = messages.with_suffix(".html")
        command = ["node", "format.mjs", str(messages), str(page)]
        ran = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=600)
        assert (ran.returncode, ran.stderr) == (0, "")
        return page


def installed(folder: Path, do_without: Callable[[str, str], NoReturn]) -> Cucumber:
    """Install the programs into a folder, or skip the test with the reason."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            do_without("node", f"there is no {program} on this machine")
    (folder / "package.json").write_text('{"private": true, "type": "module"}', encoding="utf-8")
    (folder / "format.mjs").write_text(FORMAT, encoding="utf-8")
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", *PACKAGES]
    try:
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        do_without("node", "npm did not install Cucumber's packages in ten minutes")
    if ran.returncode:
        do_without("node", f"npm cannot install Cucumber's packages: {' '.join(ran.stderr.split())[:300]}")
    return Cucumber(folder)
