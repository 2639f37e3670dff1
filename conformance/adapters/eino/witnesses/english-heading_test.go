package witnesses

import (
	"fmt"
	"strings"

	"github.com/cloudwego/eino/adk"
)

// The English heading of a file begins with "Contents of", the Chinese one with the words for "File content:".
func Example_englishHeading() {
	defer adk.SetLanguage(adk.LanguageEnglish)
	for _, language := range []adk.Language{adk.LanguageEnglish, adk.LanguageChinese} {
		_ = adk.SetLanguage(language)
		model := answering(saying("done"))
		run(agentOf(&adk.ChatModelAgentConfig{
			Model:    model,
			Handlers: []adk.ChatModelAgentMiddleware{instructed(files{"/a.md": "Be brief."}, 0, "/a.md")},
		}))
		for _, line := range strings.Split(model.calls[0][0].Content, "\n") {
			if strings.Contains(line, "/a.md") {
				fmt.Println("heading:", line)
			}
		}
	}

	// Output:
	// read /a.md
	// assistant: "done"
	// heading: Contents of /a.md (instructions):
	// read /a.md
	// assistant: "done"
	// heading: 文件内容：/a.md（指令）：
}
