/** Tool calls that need approval. LangChain asks about all such calls of an answer in one interrupt. */

import { argsObject, waitingCall } from '../../kits/node/kit/index.mjs';
import { humanInTheLoopMiddleware } from './packages.mjs';

/** The middleware that asks about each call of a tool that needs approval, if there is such a tool. */
export function approvalsOf(tools) {
  const asking = tools.filter(({ approval }) => approval).map(({ info }) => [info.name, ASKS]);
  return asking.length ? [humanInTheLoopMiddleware({ interruptOn: Object.fromEntries(asking) })] : [];
}

/** What a person reads about a call is the only text of a request that can have the id of the call. */
const ASKS = {
  allowedDecisions: ['approve', 'edit', 'reject'],
  description: ({ name, id }) => waitingCall(name, id),
};

/** What the caller decides about or answers in an interrupt: tool calls, or the tool that interrupts. */
export function shown({ id, value }) {
  const { actionRequests } = value ?? {};
  if (!actionRequests) return [{ id, info: value }];
  return actionRequests.map(({ description }, at) => ({ id: idOf(id, at), info: description }));
}

/** What an interrupt receives: a decision about each of its calls, or the answer for the tool. */
export function answered({ id, value }, answers) {
  const { actionRequests } = value ?? {};
  if (!actionRequests) return answers[id] ?? null;
  const decisions = actionRequests.map(({ name }, at) => decided(name, answers[idOf(id, at)]));
  return { decisions: decisions.filter(Boolean) };
}

const idOf = (interrupt, at) => `${interrupt} ${at}`;

/** @param {import('../../kits/node/kit/types.mjs').Decision | undefined} decision */
function decided(name, decision) {
  if (!decision) return undefined;
  if (!decision.approved) return { type: 'reject', message: decision.reason };
  if (decision.arguments === undefined) return { type: 'approve' };
  return { type: 'edit', editedAction: { name, args: argsObject(decision.arguments) } };
}
