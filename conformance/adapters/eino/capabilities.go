package main

// What eino has: roles and capabilities. Other files do not name them.

var (
	roles        = []string{"loader", "middleware", "agent"}
	capabilities = []string{
		"agent-tool", "agentic-messages", "agentsmd", "callbacks", "cancel", "concurrent-runs", "context-values",
		"custom-input", "custom-types", "default-warning-sink", "deferred-tools", "enhanced-tools", "exit-tool",
		"failover", "interrupt", "language-zh", "legacy", "nil-values", "output-key", "retry", "return-directly",
		"run-values", "send-event", "sequential-tools", "session-values", "streaming", "tool-middlewares",
		"tool-search",
	}
)
