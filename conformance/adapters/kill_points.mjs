/** What the programs `kills.mjs` share: see `kill_points.py`, which says the same in Python. */

import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';

const [, , folder, phase, point] = process.argv;
const packed = createRequire(import.meta.url);

export const asked = 'Reserve a seat and charge the card.';
export const done = { reserve: 'reserved', charge: 'charged' };
export const final = 'The seat is reserved and the card is charged.';
process.chdir(folder);

const wanted = new Set();
const ended = new Set();
let models = 0;
let isAt = false;

function note(...words) {
  appendFileSync('journal', `${process.pid} ${words.join(' ')}\n`.replaceAll(`${process.cwd()}/`, ''));
}

async function reached(one) {
  if (!one || (point !== one && point !== 'first')) return;
  if (!isAt) note('at', one);
  isAt = true;
  while (!existsSync('go')) await setTimeout(50);
}

/** The body of a tool. The second call of an answer waits for the first: frameworks make them at the same time. */
export async function tool(name) {
  const isFirst = name === 'reserve';
  while (!isFirst && wanted.has('reserve') && !ended.has('reserve')) await setTimeout(50);
  await reached(isFirst ? 'before-tool' : 'between-tools');
  note('start', name);
  if (isFirst) await reached('in-tool-before-effect');
  note('effect', name);
  await reached(isFirst ? 'in-tool-after-effect' : 'in-last-tool');
  note('end', name);
  ended.add(name);
  return done[name];
}

/** The calls of the next answer, by the calls and the results of its request; none: the answer is `final`. */
export async function model(calls, results) {
  const [before, within, after] = models++
    ? ['after-tools', 'in-second-model', '']
    : ['before-model', 'in-model', 'after-model'];
  await reached(before);
  note('model');
  await reached(within);
  const ids = calls.map(([id]) => id);
  const answered = results.map(([id]) => id);
  for (const id of ids) {
    const count = answered.filter((one) => one === id).length;
    if (count !== 1) throw new Error(`400: the call '${id}' has ${count} results`);
  }
  const lost = answered.find((id) => !ids.includes(id));
  if (lost) throw new Error(`400: the result of '${lost}' has no call`);
  const said = new Map(results);
  const known = new Set(calls.filter(([id, name]) => said.get(id).includes(done[name])).map(([, name]) => name));
  wanted.clear();
  for (const name of Object.keys(done)) if (!known.has(name)) wanted.add(name);
  await reached(after);
  return [...wanted].map((name) => [`${name}-${1 + calls.filter(([, other]) => other === name).length}`, name]);
}

/** Write the stored messages, in a format of `loopspec check`. */
export function history(when, form, messages) {
  writeFileSync(`${when}.${form}.json`, JSON.stringify(messages));
}

/** Perform the phase, and note how it ends. */
export async function main(phases, packages, store, resume, know) {
  note('versions', packages.map((name) => `${name} ${versionOf(name)}`).join(', '));
  note('store', store);
  note('resume', resume);
  note('know', know);
  if (!phases[phase]) return note('without', phase);
  try {
    note('ended', String(await phases[phase]()).replaceAll(/\s+/g, ' '));
  } catch (error) {
    note('failed', `${error.name}:`, error.message.replaceAll(/\s+/g, ' ').slice(0, 300));
    console.error(error);
  }
}

function versionOf(name) {
  const path = packed.resolve.paths(name).map((one) => `${one}/${name}/package.json`).find(existsSync);
  return JSON.parse(readFileSync(path)).version;
}
