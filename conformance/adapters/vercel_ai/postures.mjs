/** What the AI SDK documents to do otherwise, each choice with the place in its source that says so. */

const AT = 'https://github.com/vercel/ai/blob/ai@7.0.173/packages/ai/src';

export const POSTURES = {
  'calls-without-tools': { value: 'reported', link: `${AT}/generate-text/parse-tool-call.ts#L243` },
  'instruction-template': { value: 'literal', link: `${AT}/prompt/convert-to-language-model-prompt.ts#L61` },
  'limit-ends': { value: 'stops', link: `${AT}/generate-text/stop-condition.ts#L4` },
  'limit-zero': { value: 'unlimited', measured: true },
  'same-name': { value: 'accepted', link: `${AT}/generate-text/tools-context-parameter.ts#L27` },
  'tool-failure': { value: 'reported', link: `${AT}/generate-text/execute-tool-call.ts#L163` },
  'unknown-tool': { value: 'reported', link: `${AT}/generate-text/parse-tool-call.ts#L243` },
};
