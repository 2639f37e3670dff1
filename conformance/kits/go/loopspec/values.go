package loopspec

import "encoding/json"

// A ToolCall is the call of a tool in an answer of a model. Args is the text of the arguments, normally a JSON object.
type ToolCall struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Args string `json:"args"`
}

// UnmarshalJSON reads a call. Absent arguments are an empty object.
func (c *ToolCall) UnmarshalJSON(text []byte) error {
	type plain ToolCall
	read := plain{Args: "{}"}
	err := json.Unmarshal(text, &read)
	*c = ToolCall(read)
	return err
}

// A Part is a part of an enhanced tool's result: a text, or a picture with its address.
type Part struct {
	Text string `json:"text,omitempty"`
	URL  string `json:"url,omitempty"`
}

// A Message is a message of a conversation. Role is system, user, assistant or tool.
type Message struct {
	Role       string
	Content    string
	Parts      []Part
	ToolCalls  []ToolCall
	ToolCallID string // of a tool message: the call that the message answers
	ToolName   string // of a tool message
	Extra      map[string]any
}

type wireMessage struct {
	Role       string         `json:"role"`
	Content    string         `json:"content,omitempty"`
	Parts      []Part         `json:"parts,omitempty"`
	ToolCalls  []ToolCall     `json:"toolCalls,omitempty"`
	ToolCallID *string        `json:"toolCallId,omitempty"`
	ToolName   *string        `json:"toolName,omitempty"`
	Extra      map[string]any `json:"extra,omitempty"`
}

// MarshalJSON writes a message. A tool message has the id of its call and the name of its tool, also empty ones.
func (m Message) MarshalJSON() ([]byte, error) {
	sent := wireMessage{Role: m.Role, Content: m.Content, Parts: m.Parts, ToolCalls: m.ToolCalls, Extra: m.Extra}
	if m.Role == "tool" {
		sent.ToolCallID, sent.ToolName = &m.ToolCallID, &m.ToolName
	}
	return json.Marshal(sent)
}

// UnmarshalJSON reads a message.
func (m *Message) UnmarshalJSON(text []byte) error {
	var read wireMessage
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	*m = Message{Role: read.Role, Content: read.Content, Parts: read.Parts, Extra: read.Extra}
	m.ToolCalls = read.ToolCalls
	if read.ToolCallID != nil {
		m.ToolCallID = *read.ToolCallID
	}
	if read.ToolName != nil {
		m.ToolName = *read.ToolName
	}
	return nil
}

// A ToolInfo is the information about a tool that a model receives. Parameters is a JSON schema.
type ToolInfo struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Parameters  map[string]any `json:"parameters,omitempty"`
}

// A ToolRequest is a request to a tool. Kind is one of the four kinds of tools; empty means Invokable.
type ToolRequest struct {
	Tool    string         `json:"tool"`
	CallID  string         `json:"callId,omitempty"`
	Args    string         `json:"args,omitempty"`
	Kind    string         `json:"kind,omitempty"`
	Options map[string]any `json:"options,omitempty"`
	Resumed *Resumed       `json:"resumed,omitempty"`
}

// The kinds of tools.
const (
	Invokable          = "invokable"
	Streamable         = "streamable"
	EnhancedInvokable  = "enhanced invokable"
	EnhancedStreamable = "enhanced streamable"
)

// A Decision is what a person decides about a tool call that needs approval: the caller's answer to its interrupt.
// Arguments replace those of the model; nil: the call keeps its own. Reason says why the call is denied.
type Decision struct {
	Approved  bool    `json:"approved"`
	Arguments *string `json:"arguments"`
	Reason    string  `json:"reason"`
}

// DecisionOf reads a decision from an answer of a caller, which has another form if the adapter is at fault.
func DecisionOf(answer any) (decision Decision, err error) {
	text, err := json.Marshal(answer)
	if err == nil {
		err = json.Unmarshal(text, &decision)
	}
	return decision, err
}

// WaitingCall is the information of the interrupt in which a tool call waits for approval.
func WaitingCall(tool, callID string) string { return tool + " at " + callID }

// Resumed holds what an interrupted tool receives when its run resumes: its own state, and the caller's answer.
type Resumed struct {
	State any `json:"state,omitempty"`
	Data  any `json:"data,omitempty"`
}

// A ToolAnswer is the result of a tool: Text, or the Parts of an enhanced tool.
type ToolAnswer struct {
	Text  string `json:"text,omitempty"`
	Parts []Part `json:"parts,omitempty"`
}

// An AgentStart is what a before-agent hook receives and returns. Nil means that the hook does not receive the value,
// and in a returned start, that the hook does not change the value. An empty list is not nil.
type AgentStart struct {
	Instruction    *string  `json:"instruction"`
	Tools          []string `json:"tools"`
	ReturnDirectly []string `json:"returnDirectly"`
	ToolSearch     *string  `json:"toolSearch,omitempty"`
}

// A ModelContext is what a hook or a model wrapper receives about the configuration of the model call. Nil means that
// the hook or the wrapper does not receive the value.
type ModelContext struct {
	Tools    []string `json:"tools"`
	Retry    *bool    `json:"retry"`
	Failover *bool    `json:"failover"`
}

// Has reports whether a list of hooks or kinds has an entry.
func Has(list []string, entry string) bool {
	for _, one := range list {
		if one == entry {
			return true
		}
	}
	return false
}
