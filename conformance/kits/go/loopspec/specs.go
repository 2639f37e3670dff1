package loopspec

import "encoding/json"

// An AgentSpec is the configuration of an agent. An adapter leaves out of its own configuration what the spec leaves
// out: the rules also judge defaults.
type AgentSpec struct {
	Name             string               `json:"name"`
	Model            *ModelSpec           `json:"model"`
	Description      string               `json:"description"`
	Instruction      string               `json:"instruction"`
	Tools            []ToolSpec           `json:"tools"`
	Handlers         []HandlerSpec        `json:"handlers"`
	MaxIterations    *int                 `json:"maxIterations"`
	AdditionalTools  []ToolSpec           `json:"additionalTools"`
	AdditionalModels []ModelSpec          `json:"additionalModels"`
	MakeInput        *struct{}            `json:"makeInput"` // nil: the agent has no custom input function
	ExitTool         bool                 `json:"exitTool"`
	ReturnDirectly   map[string]bool      `json:"returnDirectly"`
	OutputKey        *string              `json:"outputKey"`
	Sequential       bool                 `json:"sequential"`
	Retry            *RetrySpec           `json:"retry"`
	Failover         *FailoverSpec        `json:"failover"`
	Legacy           []LegacySpec         `json:"legacy"`
	ToolMiddlewares  []ToolMiddlewareSpec `json:"toolMiddlewares"`
	Callbacks        bool                 `json:"callbacks"`
	InternalEvents   bool                 `json:"internalEvents"`
}

// A ModelSpec is the configuration of a model.
type ModelSpec struct {
	Name             string `json:"name"`
	ReportsCallbacks bool   `json:"reports"` // the model reports its calls to callbacks by itself
}

// A ToolSpec is the configuration of a tool. With Agent, the tool is a sub-agent.
type ToolSpec struct {
	Name        string         `json:"name"`
	Kinds       []string       `json:"kinds"`
	KnownAs     *string        `json:"knownAs"` // the name that models receive, if it is not the name of the tool
	Description string         `json:"description"`
	Nameless    bool           `json:"nameless"` // asking for the information about the tool fails
	Approval    bool           `json:"approval"` // a person decides about each call before it is made
	Agent       *AgentSpec     `json:"agent"`
	FullHistory bool           `json:"fullHistory"` // the sub-agent receives the full conversation
	Schema      map[string]any `json:"schema"`      // the custom input schema of the sub-agent
}

// A HandlerSpec is the configuration of a handler. Handler is "scripted" for a handler of the harness, and "agentsmd"
// for the AgentsMD middleware of the implementation.
type HandlerSpec struct {
	Handler string          `json:"handler"`
	Name    *string         `json:"name"`
	Hooks   HookNames       `json:"hooks"`
	Config  json.RawMessage `json:"config"`
}

// HookNames are the hooks and wrappers that a handler has.
type HookNames []string

// UnmarshalJSON reads the names of a list of hooks.
func (h *HookNames) UnmarshalJSON(text []byte) error {
	var listed []struct {
		Hook string `json:"hook"`
	}
	if err := json.Unmarshal(text, &listed); err != nil {
		return err
	}
	for _, one := range listed {
		*h = append(*h, one.Hook)
	}
	return nil
}

// ID is the name of the handler. Handlers with the same name are the same handler.
func (h HandlerSpec) ID() string {
	if h.Name == nil {
		return h.Handler
	}
	return *h.Name
}

// Instructions is the configuration of an AgentsMD middleware: an empty one by default, nil if the scene passes none.
func (h HandlerSpec) Instructions() (*InstructionsConfig, error) {
	read := &InstructionsConfig{}
	if h.Config == nil {
		return read, nil
	}
	if string(h.Config) == "null" {
		return nil, nil
	}
	return read, json.Unmarshal(h.Config, read)
}

// An InstructionsConfig is the configuration of an AgentsMD middleware.
type InstructionsConfig struct {
	Files    *[]string `json:"files"`
	MaxBytes *int      `json:"maxBytes"`
	Callback *bool     `json:"callback"`
	Backend  *bool     `json:"backend"`
}

// HasBackend reports whether the configuration has a backend.
func (c InstructionsConfig) HasBackend() bool { return c.Backend == nil || *c.Backend }

// HasCallback reports whether the configuration has a callback for warnings.
func (c InstructionsConfig) HasCallback() bool { return c.Callback == nil || *c.Callback }

// A ToolMiddlewareSpec is the configuration of a tool middleware.
type ToolMiddlewareSpec struct {
	Name  string    `json:"name"`
	Hooks HookNames `json:"hooks"`
}

// A LegacySpec is the configuration of a legacy middleware.
type LegacySpec struct {
	Name        string     `json:"name"`
	Hooks       HookNames  `json:"hooks"`
	Instruction string     `json:"instruction"`
	Tools       []ToolSpec `json:"tools"`
}

// A RetrySpec is the configuration of retries. Each Has method says whether a callback exists.
type RetrySpec struct {
	MaxRetries int       `json:"maxRetries"`
	Codes      *[]string `json:"codes"`
	Rejects    []string  `json:"rejects"`
	HasDelay   bool      `json:"delays"`
}

// HasIsRetryable reports whether a callback decides about retries.
func (r RetrySpec) HasIsRetryable() bool { return r.Codes != nil }

// HasIsAccepted reports whether a callback judges answers.
func (r RetrySpec) HasIsAccepted() bool { return len(r.Rejects) > 0 }

// A FailoverSpec is the configuration of a failover.
type FailoverSpec struct {
	Models            []ModelSpec `json:"models"`
	HasShouldFailover bool        `json:"asks"`
	HasNextModel      bool        `json:"chooses"`
	Limit             *int        `json:"limit"`
}
