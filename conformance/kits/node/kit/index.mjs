/**
 * Connects an agent with loopspec in the role `agent`, or a store in the role `backend`. README.md of this folder says
 * what to fill in.
 */

export { AgentAdapter, Parts } from './agent.mjs';
export { serveBackend } from './backend.mjs';
export { ModelDouble, ToolDouble, waitingCall } from './doubles.mjs';
export { CannotStore, CaseOver, Interruption, ScriptedError, Unsupported } from './errors.mjs';
export { HookDouble } from './hooks.mjs';
export { argsObject, argsText, Conversation } from './messages.mjs';
export { Reporter } from './reporter.mjs';
export { serve } from './serve.mjs';
