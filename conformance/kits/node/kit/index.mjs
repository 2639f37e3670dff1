/** Connects an agent with loopspec, in the role `agent`. README.md of this folder says what to fill in. */

export { AgentAdapter, Parts } from './agent.mjs';
export { ModelDouble, ToolDouble } from './doubles.mjs';
export { CaseOver, Interruption, ScriptedError, Unsupported } from './errors.mjs';
export { HookDouble } from './hooks.mjs';
export { argsObject, argsText, Conversation } from './messages.mjs';
export { Reporter } from './reporter.mjs';
export { serve } from './serve.mjs';
