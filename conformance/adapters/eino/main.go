// Command eino-adapter connects eino with loopspec: its AgentsMD middleware and its ChatModelAgent.
//
// The package loopspec speaks loopspec's protocol over standard input and output. This package builds eino's own objects
// from the doubles of that package. Messages for people go to standard error.
package main

import (
	"encoding/json"
	"log"
	"os"

	"github.com/cloudwego/eino/adk"
	"loopspec/kits/go/loopspec"
)

const einoVersion = "0.9.9"

func main() {
	server := loopspec.NewServer(loopspec.Adapter{
		Name: "eino", Version: einoVersion, Roles: roles, Capabilities: capabilities,
		Agents:    loopspec.NewAgents[adk.Message, *built[adk.Message]](adapter[adk.Message]{}),
		Agentic:   loopspec.NewAgents[adk.AgenticMessage, *built[adk.AgenticMessage]](adapter[adk.AgenticMessage]{}),
		ErrorOf:   errorOf,
		KindOf:    kindOf,
		Canceller: canceller{},
		Methods: map[string]loopspec.Method{
			"language/set": setLanguage, "loader/load": load, "middleware/create": createMiddleware,
			"middleware/beforeModel": beforeModel,
		},
		AtCaseEnd: func() { _ = adk.SetLanguage(adk.LanguageEnglish) },
	}, os.Stdout)
	// eino's own log goes to the harness, which judges where warnings go without a callback.
	log.SetFlags(0)
	log.SetOutput(server.Log())
	if err := server.Serve(loopspec.Input()); err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
}

var languages = map[string]adk.Language{"en": adk.LanguageEnglish, "zh": adk.LanguageChinese}

func setLanguage(in *loopspec.Case, params json.RawMessage) (any, error) {
	var sent struct {
		Language *string `json:"language"`
	}
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, err
	}
	chosen := adk.LanguageEnglish
	if sent.Language != nil {
		known, ok := languages[*sent.Language]
		if !ok {
			known = adk.Language(255) // eino numbers its languages: this number is none of them
		}
		chosen = known
	}
	return loopspec.Created{Error: in.Refusal(adk.SetLanguage(chosen))}, nil
}
