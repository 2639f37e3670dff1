// Calls gemini-cli's discovery of GEMINI.md files on the real disk, once for each line of standard input.

import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const folder = process.env.GEMINI_CLI_FOLDER ?? import.meta.dirname; // where node_modules is
const packed = createRequire(resolve(folder, 'package.json'));
const source = packed.resolve('@google/gemini-cli-core/dist/src/context/memoryContextManager.js');
const { MemoryContextManager } = await import(pathToFileURL(source));
delete process.env.VITEST; // either one turns warnings off
delete process.env.NODE_ENV;

let warnings = [];
for (const level of ['log', 'info', 'debug', 'warn', 'error']) {
  console[level] = (...words) => {
    if (level === 'warn' || level === 'error') warnings.push(words.join(' '));
  };
}

// What a trusted folder without extensions and servers has. The other values are the defaults of gemini-cli.
function configuration(cwd, memory) {
  return {
    getExtensionLoader: () => ({ getExtensions: () => [] }),
    isTrustedFolder: () => true,
    getWorkspaceContext: () => ({ getDirectories: () => [cwd] }),
    getMemoryBoundaryMarkers: () => ['.git'],
    getImportFormat: () => 'tree',
    getMcpClientManager: () => undefined,
    storage: { getProjectMemoryDir: () => memory },
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { cwd, home } = JSON.parse(line);
  warnings = [];
  let answer;
  try {
    process.env.GEMINI_CLI_HOME = home;
    const manager = new MemoryContextManager(configuration(cwd, resolve(home, '.gemini/tmp/project/memory')));
    await manager.refresh();
    answer = { texts: [manager.getGlobalMemory(), manager.getEnvironmentMemory()], warnings };
  } catch (error) {
    answer = { error: String(error), warnings };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
