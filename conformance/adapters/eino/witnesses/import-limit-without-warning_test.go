package witnesses

import "github.com/cloudwego/eino/adk"

// Beyond the byte limit, a configured file is skipped with a warning, and an import without one.
func Example_importLimitWithoutWarning() {
	backend := files{
		"/a.md": "Be brief. Import: @b.md",
		"/b.md": "Be kind.",
		"/c.md": "Be quick.",
	}
	run(agentOf(&adk.ChatModelAgentConfig{
		Model:    answering(saying("done")),
		Handlers: []adk.ChatModelAgentMiddleware{instructed(backend, 10, "/a.md", "/c.md")},
	}))

	// Output:
	// read /a.md
	// read /c.md
	// warning: /c.md: skipped: cumulative size 32 exceeds max bytes 10
	// assistant: "done"
}
