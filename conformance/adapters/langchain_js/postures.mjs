/** What LangChain JS documents to do otherwise, each choice with the place in its source that says so. */

const AT = 'https://github.com/langchain-ai/langchainjs/blob/langchain@1.5.14/libs/langchain/src/agents';

export const POSTURES = {
  'after-order': { value: 'reversed', link: `${AT}/ReactAgent.ts#L529` },
  'instruction-place': { value: 'request', link: `${AT}/nodes/AgentNode.ts#L397` },
  'instruction-template': { value: 'literal', link: `${AT}/utils.ts#L388` },
  'interrupted-wrapper': {
    value: 'repeated',
    link: 'https://docs.langchain.com/oss/javascript/langgraph/interrupts#side-effects-called-before-interrupt-must-be-idempotent',
  },
  'limit-zero': { value: 'no-call', link: `${AT}/middleware/modelCallLimit.ts#L182` },
  'same-name': { value: 'accepted', link: `${AT}/nodes/ToolNode.ts#L337` },
  'tool-failure': { value: 'reported', link: `${AT}/nodes/ToolNode.ts#L116` },
  'unknown-tool': { value: 'reported', link: `${AT}/nodes/ToolNode.ts#L456` },
};
