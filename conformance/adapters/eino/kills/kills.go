// The program kills is an agent of eino with a store of checkpoints in a file: see ../../kill_points.py.
//
// Eino has no store of its own on disk: CheckPointStore is an interface for its users.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
)

const (
	asked = "Reserve a seat and charge the card."
	final = "The seat is reserved and the card is charged."
)

var (
	names  = []string{"reserve", "charge"}
	done   = map[string]string{"reserve": "reserved", "charge": "charged"}
	phase  = os.Args[2]
	point  = os.Args[3]
	lock   sync.Mutex
	isAt   bool
	wanted = map[string]bool{}
	ended  = map[string]bool{}
	models int
)

func note(words ...string) {
	journal, err := os.OpenFile("journal", os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		panic(err)
	}
	defer journal.Close()
	fmt.Fprintf(journal, "%d %s\n", os.Getpid(), strings.Join(strings.Fields(strings.Join(words, " ")), " "))
}

func reached(one string) {
	if one == "" || (point != one && point != "first") {
		return
	}
	lock.Lock()
	if !isAt {
		note("at", one)
	}
	isAt = true
	lock.Unlock()
	for _, err := os.Stat("go"); err != nil; _, err = os.Stat("go") {
		time.Sleep(50 * time.Millisecond)
	}
}

// effect is a tool. The second call of an answer waits for the first: eino makes them at the same time.
type effect string

func (e effect) Info(context.Context) (*schema.ToolInfo, error) {
	return &schema.ToolInfo{Name: string(e), Desc: string(e)}, nil
}

func (e effect) waits() bool {
	lock.Lock()
	defer lock.Unlock()
	return e == "charge" && wanted["reserve"] && !ended["reserve"]
}

func (e effect) InvokableRun(context.Context, string, ...tool.Option) (string, error) {
	for e.waits() {
		time.Sleep(50 * time.Millisecond)
	}
	before, within, after := "before-tool", "in-tool-before-effect", "in-tool-after-effect"
	if e == "charge" {
		before, within, after = "between-tools", "", "in-last-tool"
	}
	reached(before)
	note("start", string(e))
	reached(within)
	note("effect", string(e))
	reached(after)
	note("end", string(e))
	lock.Lock()
	defer lock.Unlock()
	ended[string(e)] = true
	return done[string(e)], nil
}

// scripted is a model without a network: it calls the tools of which its request does not show that they are done.
type scripted struct{}

func (scripted) Generate(_ context.Context, input []*schema.Message, _ ...model.Option) (*schema.Message, error) {
	before, within, after := "before-model", "in-model", "after-model"
	if models++; models > 1 {
		before, within, after = "after-tools", "in-second-model", ""
	}
	reached(before)
	note("model")
	reached(within)
	results, numbers, finished := map[string]string{}, map[string]int{}, map[string]bool{}
	for _, message := range input {
		if message.Role == schema.Tool {
			results[message.ToolCallID] = message.Content
		}
	}
	for _, message := range input {
		for _, call := range message.ToolCalls {
			result, ok := results[call.ID]
			if !ok {
				return nil, fmt.Errorf("400: the call '%s' has 0 results", call.ID)
			}
			name := call.Function.Name
			numbers[name]++
			finished[name] = finished[name] || strings.Contains(result, done[name])
		}
	}
	var calls []schema.ToolCall
	lock.Lock()
	wanted = map[string]bool{}
	for _, name := range names {
		if !finished[name] {
			wanted[name] = true
			id := fmt.Sprintf("%s-%d", name, numbers[name]+1)
			calls = append(calls, schema.ToolCall{ID: id, Function: schema.FunctionCall{Name: name, Arguments: "{}"}})
		}
	}
	lock.Unlock()
	reached(after)
	if len(calls) > 0 {
		return schema.AssistantMessage("", calls), nil
	}
	return schema.AssistantMessage(final, nil), nil
}

func (scripted) Stream(context.Context, []*schema.Message, ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	panic("not used")
}

// files is a store of checkpoints: a file for each id, which is replaced as a whole.
type files struct{}

func (files) Get(_ context.Context, id string) ([]byte, bool, error) {
	data, err := os.ReadFile("store/" + id)
	if errors.Is(err, os.ErrNotExist) {
		return nil, false, nil
	}
	return data, err == nil, err
}

func (files) Set(_ context.Context, id string, data []byte) error {
	if err := os.WriteFile("store/"+id+".new", data, 0o600); err != nil {
		return err
	}
	return os.Rename("store/"+id+".new", "store/"+id)
}

// run begins the run, or resumes it if there is a checkpoint.
func run(ctx context.Context) (string, error) {
	tools := adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: []tool.BaseTool{effect("reserve"), effect("charge")}}}
	agent, err := adk.NewChatModelAgent(ctx, &adk.ChatModelAgentConfig{Name: "agent", Description: "agent", Model: scripted{}, ToolsConfig: tools})
	if err != nil {
		return "", err
	}
	runner := adk.NewRunner(ctx, adk.RunnerConfig{Agent: agent, CheckPointStore: files{}})
	_, known, err := files{}.Get(ctx, "1")
	if err != nil {
		return "", err
	}
	var events *adk.AsyncIterator[*adk.AgentEvent]
	if known {
		events, err = runner.Resume(ctx, "1")
	} else {
		events = runner.Query(ctx, asked, adk.WithCheckPointID("1"))
	}
	if err != nil {
		return "", err
	}
	text, messages := "", []*schema.Message{schema.UserMessage(asked)}
	for event, ok := events.Next(); ok; event, ok = events.Next() {
		if event.Err != nil {
			return "", event.Err
		}
		if event.Output != nil && event.Output.MessageOutput != nil {
			message := event.Output.MessageOutput.Message
			text, messages = message.Content, append(messages, message)
		}
	}
	written, err := json.Marshal(messages)
	if err != nil {
		return "", err
	}
	return text, os.WriteFile("after.openai-chat.json", written, 0o600)
}

func main() {
	if err := os.Chdir(os.Args[1]); err != nil {
		panic(err)
	}
	version := ""
	info, _ := debug.ReadBuildInfo()
	for _, one := range info.Deps {
		if one.Path == "github.com/cloudwego/eino" {
			version = strings.TrimPrefix(one.Version, "v")
		}
	}
	note("versions", "eino", version)
	note("store", "a `CheckPointStore` of the user in a file")
	note("know", "Eino writes a checkpoint when a run is interrupted or cancelled, and none while it runs.")
	note("resume", "`runner.Resume`, or `runner.Query` if there is no checkpoint")
	if phase != "begin" && phase != "resume" {
		note("without", phase)
		return
	}
	if text, err := run(context.Background()); err != nil {
		note("failed", "error:", err.Error())
	} else {
		note("ended", text)
	}
}
