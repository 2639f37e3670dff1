package main

import (
	"strings"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/schema"
)

// Messages of the protocol and of eino, of both of its types.

// einoID is the key of eino's own identity of a message, which is not shown.
const einoID = "_eino_msg_id"

func wires[M adk.MessageType](messages []M) []message {
	sent := make([]message, len(messages))
	for at, one := range messages {
		sent[at] = wire(one)
	}
	return sent
}

func einos[M adk.MessageType](messages []message) []M {
	built := make([]M, len(messages))
	for at, one := range messages {
		built[at] = eino[M](one)
	}
	return built
}

// wire is a message of eino as the protocol has it; nil is an empty message.
func wire[M adk.MessageType](one M) message {
	switch m := any(one).(type) {
	case *schema.Message:
		if m != nil {
			return wirePlain(m)
		}
	case *schema.AgenticMessage:
		if m != nil {
			return wireAgentic(m)
		}
	}
	return message{Role: "assistant"}
}

// eino is a message of the protocol as eino has it.
func eino[M adk.MessageType](sent message) M {
	var none M
	if _, plain := any(none).(*schema.Message); plain {
		return any(plainOf(sent)).(M)
	}
	return any(agenticOf(sent, false)).(M)
}

// chunk is a chunk of a streamed message; eino joins them in the end.
func chunk[M adk.MessageType](sent message) M {
	var none M
	if _, plain := any(none).(*schema.Message); plain {
		return any(plainOf(sent)).(M)
	}
	return any(agenticOf(sent, true)).(M)
}

func isNothing[M adk.MessageType](one M) bool {
	var none M
	return any(one) == any(none)
}

func wirePlain(m *schema.Message) message {
	sent := message{Role: string(m.Role), Content: m.Content, Extra: others(m.Extra)}
	if m.Role == schema.Tool {
		sent.ToolCallID, sent.ToolName = &m.ToolCallID, &m.ToolName
	}
	for _, call := range m.ToolCalls {
		args := call.Function.Arguments
		sent.ToolCalls = append(sent.ToolCalls, toolCall{call.ID, call.Function.Name, &args})
	}
	for _, one := range m.UserInputMultiContent {
		if one.Image != nil {
			sent.Parts = append(sent.Parts, part{URL: value(one.Image.URL)})
		} else {
			sent.Parts = append(sent.Parts, part{Text: one.Text})
		}
	}
	return sent
}

func plainOf(sent message) *schema.Message {
	m := &schema.Message{Role: schema.RoleType(sent.Role), Content: sent.Content, Extra: sent.Extra}
	m.ToolCallID, m.ToolName = value(sent.ToolCallID), value(sent.ToolName)
	for _, call := range sent.ToolCalls {
		m.ToolCalls = append(m.ToolCalls, schema.ToolCall{
			ID: call.ID, Type: "function", Function: schema.FunctionCall{Name: call.Name, Arguments: call.args()},
		})
	}
	if parts, err := resultOf(sent.Parts).ToMessageInputParts(); err == nil {
		m.UserInputMultiContent = parts
	}
	return m
}

func wireAgentic(m *schema.AgenticMessage) message {
	sent := message{Role: string(m.Role), Extra: others(m.Extra)}
	for _, block := range m.ContentBlocks {
		switch {
		case block == nil:
		case block.UserInputText != nil:
			sent.Content += block.UserInputText.Text
		case block.AssistantGenText != nil:
			sent.Content += block.AssistantGenText.Text
		case block.FunctionToolCall != nil:
			args := block.FunctionToolCall.Arguments
			sent.ToolCalls = append(sent.ToolCalls, toolCall{block.FunctionToolCall.CallID, block.FunctionToolCall.Name, &args})
		case block.FunctionToolResult != nil:
			result := block.FunctionToolResult
			sent.Role, sent.ToolCallID, sent.ToolName = "tool", &result.CallID, &result.Name
			sent.Content, sent.Parts = contentOf(result.Content)
		}
	}
	return sent
}

// contentOf is the result of a tool: a text, or the parts of an enhanced result, pictures included.
func contentOf(blocks []*schema.FunctionToolResultContentBlock) (string, []part) {
	var parts []part
	texts, pictures := strings.Builder{}, false
	for _, block := range blocks {
		switch {
		case block.Text != nil:
			texts.WriteString(block.Text.Text)
			parts = append(parts, part{Text: block.Text.Text})
		case block.Image != nil:
			pictures = true
			parts = append(parts, part{URL: block.Image.URL})
		}
	}
	if pictures {
		return "", parts
	}
	return texts.String(), nil
}

func agenticOf(sent message, streamed bool) *schema.AgenticMessage {
	m := &schema.AgenticMessage{Role: schema.AgenticRoleType(sent.Role), Extra: sent.Extra}
	add := func(block *schema.ContentBlock) {
		if streamed {
			block.StreamingMeta = &schema.StreamingMeta{Index: len(m.ContentBlocks)}
		}
		m.ContentBlocks = append(m.ContentBlocks, block)
	}
	switch sent.Role {
	case "tool":
		m.Role = schema.AgenticRoleTypeUser
		result := &schema.FunctionToolResult{CallID: value(sent.ToolCallID), Name: value(sent.ToolName)}
		if sent.Content != "" || len(sent.Parts) == 0 {
			result.Content = append(result.Content, textBlock(sent.Content))
		}
		for _, one := range sent.Parts {
			if one.URL != "" {
				picture := &schema.UserInputImage{URL: one.URL}
				result.Content = append(result.Content, &schema.FunctionToolResultContentBlock{
					Type: schema.FunctionToolResultContentBlockTypeImage, Image: picture,
				})
			} else {
				result.Content = append(result.Content, textBlock(one.Text))
			}
		}
		add(schema.NewContentBlock(result))
	case "assistant":
		if sent.Content != "" || len(sent.ToolCalls) == 0 || streamed {
			add(schema.NewContentBlock(&schema.AssistantGenText{Text: sent.Content}))
		}
	default:
		add(schema.NewContentBlock(&schema.UserInputText{Text: sent.Content}))
	}
	for _, call := range sent.ToolCalls {
		add(schema.NewContentBlock(&schema.FunctionToolCall{CallID: call.ID, Name: call.Name, Arguments: call.args()}))
	}
	return m
}

func textBlock(text string) *schema.FunctionToolResultContentBlock {
	return &schema.FunctionToolResultContentBlock{
		Type: schema.FunctionToolResultContentBlockTypeText, Text: &schema.UserInputText{Text: text},
	}
}

// others is the extra data of a message without eino's own.
func others(extra map[string]any) map[string]any {
	if _, its := extra[einoID]; !its {
		return extra
	}
	rest := make(map[string]any, len(extra))
	for key, one := range extra {
		if key != einoID {
			rest[key] = one
		}
	}
	return rest
}

func partsOf(result *schema.ToolResult) []part {
	var parts []part
	if result == nil {
		return nil
	}
	for _, one := range result.Parts {
		if one.Image != nil {
			parts = append(parts, part{URL: value(one.Image.URL)})
		} else {
			parts = append(parts, part{Text: one.Text})
		}
	}
	return parts
}

func resultOf(parts []part) *schema.ToolResult {
	result := &schema.ToolResult{}
	for _, one := range parts {
		if one.URL == "" {
			result.Parts = append(result.Parts, schema.ToolOutputPart{Type: schema.ToolPartTypeText, Text: one.Text})
			continue
		}
		url := one.URL
		picture := &schema.ToolOutputImage{MessagePartCommon: schema.MessagePartCommon{URL: &url}}
		result.Parts = append(result.Parts, schema.ToolOutputPart{Type: schema.ToolPartTypeImage, Image: picture})
	}
	return result
}

func value(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
