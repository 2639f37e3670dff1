// Answers each line {"cwd", "agentDir"} with pi's context files and what pi prints about them. The process adds no rules.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [folder, name] = process.argv.slice(2); // where node_modules is, and the name of the package
const place = join(folder, 'node_modules', name);
const { main } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
const { loadProjectContextFiles } = await import(pathToFileURL(join(place, main)));

let warnings = [];
console.error = (...words) => warnings.push(words.join(' '));

for await (const line of createInterface({ input: process.stdin })) {
  warnings = [];
  let answer;
  try {
    const files = loadProjectContextFiles(JSON.parse(line)).map(({ path, content }) => [path, content]);
    answer = { files, warnings };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
