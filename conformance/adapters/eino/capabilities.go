package main

// What eino has: roles and capabilities. Other files do not name them.

var (
	roles        = []string{"loader", "middleware", "agent"}
	capabilities = []string{
		"after-agent-edits", "after-agent-hooks", "after-model-edits", "after-model-hooks", "agent-tool",
		"agentic-messages", "agentsmd", "approval-edits", "approvals", "before-agent-edits", "before-agent-hooks", "before-model-edits",
		"before-model-hooks", "callbacks", "cancel", "checkpoint-reuse", "concurrent-runs", "context-values", "custom-input",
		"custom-types", "default-warning-sink", "deferred-tools", "enhanced-tools", "event-paths", "exit-tool", "failover",
		"full-history",
		"incomplete-tools", "interrupt", "language-zh", "legacy", "missing-results", "model-wrappers", "nil-values",
		"output-key", "raw-arguments", "repeated-inner-calls",
		"reports-instruction", "reports-recovery", "reports-return-directly", "reports-tools", "required-descriptions", "retry", "return-directly", "run-values",
		"send-event", "sequential-tools", "session-on-resume", "session-values", "several-handlers", "streaming", "streaming-tools", "synchronous-cancel",
		"tool-middlewares", "tool-options", "tool-search", "tool-wrappers", "tools-from-hooks",
	}
)
