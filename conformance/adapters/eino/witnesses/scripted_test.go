// Package witnesses shows known differences with eino alone.
package witnesses

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/adk/middlewares/agentsmd"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// scripted is a model that gives its answers in order. It keeps the messages and the names of the tools of its calls.
type scripted[M adk.MessageType] struct {
	answers []M
	calls   [][]M
	tools   [][]string
}

func answering[M adk.MessageType](answers ...M) *scripted[M] { return &scripted[M]{answers: answers} }

func (m *scripted[M]) Generate(_ context.Context, input []M, options ...model.Option) (none M, err error) {
	tools := []string{}
	for _, info := range model.GetCommonOptions(nil, options...).Tools {
		tools = append(tools, info.Name)
	}
	m.calls, m.tools = append(m.calls, input), append(m.tools, tools)
	if len(m.calls) > len(m.answers) {
		return none, fmt.Errorf("model call %d is one too many", len(m.calls))
	}
	return m.answers[len(m.calls)-1], nil
}

func (m *scripted[M]) Stream(ctx context.Context, input []M, options ...model.Option) (*schema.StreamReader[M], error) {
	answer, err := m.Generate(ctx, input, options...)
	if err != nil {
		return nil, err
	}
	return schema.StreamReaderFromArray([]M{answer}), nil
}

// GetType is the type of the model in callbacks.
func (m *scripted[M]) GetType() string { return "Scripted" }

// modelFunc is a model that is a function, and does not stream.
type modelFunc func() (*schema.Message, error)

func (m modelFunc) Generate(context.Context, []*schema.Message, ...model.Option) (*schema.Message, error) {
	return m()
}

func (m modelFunc) Stream(context.Context, []*schema.Message, ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	panic("not used")
}

func saying(text string) *schema.Message { return schema.AssistantMessage(text, nil) }

// calling is an answer that calls tools without arguments; the ids of the calls are the names.
func calling(names ...string) *schema.Message {
	calls := make([]schema.ToolCall, len(names))
	for i, name := range names {
		calls[i] = schema.ToolCall{ID: name, Function: schema.FunctionCall{Name: name, Arguments: "{}"}}
	}
	return schema.AssistantMessage("", calls)
}

func sayingAgentic(text string) *schema.AgenticMessage {
	block := schema.NewContentBlock(&schema.AssistantGenText{Text: text})
	return &schema.AgenticMessage{Role: schema.AgenticRoleTypeAssistant, ContentBlocks: []*schema.ContentBlock{block}}
}

func callingAgentic(name, arguments string) *schema.AgenticMessage {
	block := schema.NewContentBlock(&schema.FunctionToolCall{CallID: name, Name: name, Arguments: arguments})
	return &schema.AgenticMessage{Role: schema.AgenticRoleTypeAssistant, ContentBlocks: []*schema.ContentBlock{block}}
}

// toolFunc is a tool without arguments.
type toolFunc struct {
	name string
	call func(context.Context) (string, error)
}

func (t toolFunc) Info(context.Context) (*schema.ToolInfo, error) {
	return &schema.ToolInfo{Name: t.name, Desc: t.name}, nil
}

func (t toolFunc) InvokableRun(ctx context.Context, _ string, _ ...tool.Option) (string, error) {
	return t.call(ctx)
}

func returning(name, result string) toolFunc {
	return toolFunc{name, func(context.Context) (string, error) { return result, nil }}
}

// asking is a tool that interrupts the run, and returns a result when the run is resumed.
func asking(name, result string) toolFunc {
	return toolFunc{name, func(ctx context.Context) (string, error) {
		if interrupted, _, _ := tool.GetInterruptState[any](ctx); interrupted {
			return result, nil
		}
		return "", tool.Interrupt(ctx, "may I?")
	}}
}

// multimodal is an enhanced tool without arguments, which returns a result of parts, in a streaming run in chunks.
type multimodal struct {
	name   string
	chunks []*schema.ToolResult
}

func (t multimodal) Info(context.Context) (*schema.ToolInfo, error) {
	return &schema.ToolInfo{Name: t.name, Desc: t.name}, nil
}

func (t multimodal) StreamableRun(context.Context, *schema.ToolArgument, ...tool.Option) (*schema.StreamReader[*schema.ToolResult], error) {
	return schema.StreamReaderFromArray(t.chunks), nil
}

// parts are chunks of a result, each with one part of text.
func parts(texts ...string) []*schema.ToolResult {
	var results []*schema.ToolResult
	for _, text := range texts {
		part := schema.ToolOutputPart{Type: schema.ToolPartTypeText, Text: text}
		results = append(results, &schema.ToolResult{Parts: []schema.ToolOutputPart{part}})
	}
	return results
}

func withTools(tools ...tool.BaseTool) adk.ToolsConfig {
	return adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: tools}}
}

// agentOf is an agent, which is a tool of another agent where its configuration has a name.
func agentOf[M adk.MessageType](config *adk.TypedChatModelAgentConfig[M]) adk.TypedAgent[M] {
	config.Description = config.Name
	return must(adk.NewTypedChatModelAgent(context.Background(), config))
}

// hooks is a handler of an agent of plain messages. Its functions change what they receive.
type hooks struct {
	*adk.BaseChatModelAgentMiddleware
	beforeAgent func(context.Context, *adk.ChatModelAgentContext)
	beforeModel func(context.Context, *adk.ChatModelAgentState)
	afterModel  func(context.Context, *adk.ChatModelAgentState)
	afterAgent  func(context.Context, *adk.ChatModelAgentState)
}

func called[T any](ctx context.Context, hook func(context.Context, T), value T) (context.Context, T, error) {
	if hook != nil {
		hook(ctx, value)
	}
	return ctx, value, nil
}

func (h hooks) BeforeAgent(ctx context.Context, run *adk.ChatModelAgentContext) (context.Context, *adk.ChatModelAgentContext, error) {
	return called(ctx, h.beforeAgent, run)
}

func (h hooks) BeforeModelRewriteState(ctx context.Context, state *adk.ChatModelAgentState, _ *adk.ModelContext) (context.Context, *adk.ChatModelAgentState, error) {
	return called(ctx, h.beforeModel, state)
}

func (h hooks) AfterModelRewriteState(ctx context.Context, state *adk.ChatModelAgentState, _ *adk.ModelContext) (context.Context, *adk.ChatModelAgentState, error) {
	return called(ctx, h.afterModel, state)
}

func (h hooks) AfterAgent(ctx context.Context, state *adk.ChatModelAgentState) (context.Context, error) {
	ctx, _, err := called(ctx, h.afterAgent, state)
	return ctx, err
}

// failover is a failover from models that fail to one that answers "from the backup".
func failover(limit uint, should bool) *adk.ModelFailoverConfig[*schema.Message] {
	return &adk.ModelFailoverConfig[*schema.Message]{
		MaxRetries:     limit,
		ShouldFailover: func(context.Context, *schema.Message, error) bool { return should },
		GetFailoverModel: func(context.Context, *adk.FailoverContext[*schema.Message]) (model.BaseModel[*schema.Message], []*schema.Message, error) {
			return answering(saying("from the backup")), nil, nil
		},
	}
}

// store is a store of checkpoints in memory.
type store map[string][]byte

func (s store) Get(_ context.Context, id string) ([]byte, bool, error) {
	data, ok := s[id]
	return data, ok, nil
}

func (s store) Set(_ context.Context, id string, data []byte) error {
	s[id] = data
	return nil
}

// files are Agents.md files in memory, the backend of an AgentsMD middleware. Each read is printed.
type files map[string]string

func (f files) Read(_ context.Context, request *agentsmd.ReadRequest) (*agentsmd.FileContent, error) {
	fmt.Println("read", request.FilePath)
	text, ok := f[request.FilePath]
	if !ok {
		return nil, os.ErrNotExist
	}
	return &agentsmd.FileContent{Content: text}, nil
}

// instructed is an AgentsMD middleware that prints its warnings.
func instructed(backend files, limit int, paths ...string) adk.ChatModelAgentMiddleware {
	return must(agentsmd.New(context.Background(), &agentsmd.Config{
		Backend: backend, AgentsMDFiles: paths, AllAgentsMDMaxBytes: limit,
		OnLoadWarning: func(path string, err error) { fmt.Printf("warning: %s: %v\n", path, err) },
	}))
}

// run runs an agent with the question "hi", and prints its events.
func run[M adk.MessageType](agent adk.TypedAgent[M], options ...adk.AgentRunOption) {
	runner := adk.NewTypedRunner(adk.TypedRunnerConfig[M]{Agent: agent})
	printed(runner.Query(context.Background(), "hi", options...))
}

// printed prints the events of a run after its end, so that they come after all that is printed during the run.
func printed[M adk.MessageType](events *adk.AsyncIterator[*adk.TypedAgentEvent[M]]) {
	var all []*adk.TypedAgentEvent[M]
	for event, ok := events.Next(); ok; event, ok = events.Next() {
		all = append(all, event)
	}
	for _, event := range all {
		switch {
		case event.Err != nil:
			fmt.Println("error:", brief(event.Err))
		case event.Action != nil && event.Action.Interrupted != nil:
			fmt.Println("interrupted")
		case event.Output != nil && event.Output.CustomizedOutput != nil:
			fmt.Println("custom event:", event.Output.CustomizedOutput)
		case event.Output != nil && event.Output.MessageOutput != nil:
			message, err := event.Output.MessageOutput.GetMessage()
			if err != nil {
				fmt.Printf("broken stream: %T: %v\n", err, err)
				continue
			}
			fmt.Println(described(message))
		}
	}
}

// brief is the first line of an error, without the path of nodes and the stack that a graph of eino adds.
func brief(err error) string {
	text := strings.TrimSpace(strings.TrimPrefix(err.Error(), "[NodeRunError] "))
	text, _, _ = strings.Cut(text, "\n")
	return strings.TrimRight(text, ", ")
}

// described is the role, the text and the tool calls of a message.
func described(message any) string {
	text := ""
	switch one := message.(type) {
	case *schema.Message:
		text = strings.TrimSpace(string(one.Role)+" "+one.ToolName) + fmt.Sprintf(": %q", one.Content)
		for _, call := range one.ToolCalls {
			text += " calls " + call.Function.Name
		}
	case *schema.AgenticMessage:
		text = string(one.Role) + ":"
		for _, block := range one.ContentBlocks {
			switch {
			case block.UserInputText != nil:
				text += fmt.Sprintf(" %q", block.UserInputText.Text)
			case block.AssistantGenText != nil:
				text += fmt.Sprintf(" %q", block.AssistantGenText.Text)
			case block.FunctionToolCall != nil:
				text += " calls " + block.FunctionToolCall.Name
			case block.FunctionToolResult != nil:
				text += " result of " + block.FunctionToolResult.Name
				for _, part := range block.FunctionToolResult.Content {
					text += fmt.Sprintf(" %q", part.Text.Text)
				}
			}
		}
	}
	return text
}

// conversation prints the messages of a model call.
func conversation[M adk.MessageType](messages []M) {
	for _, message := range messages {
		fmt.Println("-", described(message))
	}
}
