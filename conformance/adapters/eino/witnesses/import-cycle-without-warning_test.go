package witnesses

import "github.com/cloudwego/eino/adk"

// A circular import is skipped without a call of OnLoadWarning; a missing import is reported.
func Example_importCycleWithoutWarning() {
	backend := files{
		"/a.md": "Be brief. @b.md",
		"/b.md": "Be kind. @a.md @missing.md",
	}
	run(agentOf(&adk.ChatModelAgentConfig{
		Model:    answering(saying("done")),
		Handlers: []adk.ChatModelAgentMiddleware{instructed(backend, 0, "/a.md")},
	}))

	// Output:
	// read /a.md
	// read /b.md
	// read /missing.md
	// warning: /missing.md: file not found, skipping
	// assistant: "done"
}
