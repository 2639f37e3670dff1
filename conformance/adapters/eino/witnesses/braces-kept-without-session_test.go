package witnesses

import (
	"fmt"

	"github.com/cloudwego/eino/adk"
)

// Doubled braces in an instruction become single ones only in a run with a session value.
func Example_bracesKeptWithoutSession() {
	for _, session := range []map[string]any{{"user": "Ann"}, nil} {
		model := answering(saying("done"))
		run(agentOf(&adk.ChatModelAgentConfig{Model: model, Instruction: "Answer as {{x}}."}), adk.WithSessionValues(session))
		fmt.Println("session:", session)
		conversation(model.calls[0])
	}

	// Output:
	// assistant: "done"
	// session: map[user:Ann]
	// - system: "Answer as {x}."
	// - user: "hi"
	// assistant: "done"
	// session: map[]
	// - system: "Answer as {{x}}."
	// - user: "hi"
}
