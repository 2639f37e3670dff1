/** Tool calls that need approval: `toolApproval` lets them wait, and the messages of the next run have the responses. */

import { waitingCall } from '../../kits/node/kit/index.mjs';

/** The setting of an agent with tools that need approval. */
export function approvalOf(tools) {
  const asking = tools.filter(({ approval }) => approval).map(({ info }) => [info.name, 'user-approval']);
  return asking.length ? Object.fromEntries(asking) : undefined;
}

/** The interrupts of a run: the requests in the content of its last step. */
export function requestsIn(content) {
  return content
    .filter(({ type }) => type === 'tool-approval-request')
    .map(({ approvalId, toolCall }) => ({ id: approvalId, info: waitingCall(toolCall.toolName, toolCall.toolCallId) }));
}

/**
 * The message with which a caller answers the requests.
 * @param {Record<string, import('../../kits/node/kit/types.mjs').Decision>} answers
 * @returns {import('ai').ToolModelMessage}
 */
export function responsesOf(answers) {
  const content = Object.entries(answers).map(([approvalId, { approved, reason }]) => ({
    type: 'tool-approval-response',
    approvalId,
    approved,
    ...(reason && { reason }),
  }));
  return { role: 'tool', content };
}
