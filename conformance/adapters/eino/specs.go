package main

import "encoding/json"

// What is to be built, as the harness tells it.

type instructionsConfig struct {
	Files    *[]string `json:"files"`
	MaxBytes *int      `json:"maxBytes"`
	Callback *bool     `json:"callback"` // absent: true
	Backend  *bool     `json:"backend"`  // absent: true
}

type modelSpec struct {
	Name    string `json:"name"`
	Reports bool   `json:"reports"`
}

type toolSpec struct {
	Name        string         `json:"name"`
	Kinds       []string       `json:"kinds"`
	Info        *toolInfo      `json:"info"`
	InfoError   *string        `json:"infoError"`
	Agent       *agentSpec     `json:"agent"`
	FullHistory bool           `json:"fullHistory"`
	Schema      map[string]any `json:"schema"`
}

// handlerSpec is a handler of the harness, or with the tag `agentsmd` eino's own.
type handlerSpec struct {
	Handler string          `json:"handler"`
	Name    *string         `json:"name"`   // absent: agentsmd
	Hooks   []string        `json:"hooks"`  // in which it wants to be called
	Config  json.RawMessage `json:"config"` // absent: the default one; null: none at all
}

func (h handlerSpec) name() string {
	if h.Name == nil {
		return "agentsmd"
	}
	return *h.Name
}

func (h handlerSpec) config() (*instructionsConfig, error) {
	read := &instructionsConfig{}
	if h.Config == nil {
		return read, nil
	}
	if string(h.Config) == "null" {
		return nil, nil
	}
	return read, json.Unmarshal(h.Config, read)
}

type wrapsSpec struct {
	Name  string   `json:"name"`
	Hooks []string `json:"hooks"`
}

type legacySpec struct {
	Name        string     `json:"name"`
	Hooks       []string   `json:"hooks"`
	Instruction string     `json:"instruction"`
	Tools       []toolSpec `json:"tools"`
}

type retrySpec struct {
	MaxRetries    int  `json:"maxRetries"`
	AsksRetryable bool `json:"asksRetryable"`
	AsksAccepted  bool `json:"asksAccepted"`
	AsksDelay     bool `json:"asksDelay"`
}

type failoverSpec struct {
	Models      []modelSpec `json:"models"`
	AsksWhether bool        `json:"asksWhether"`
	AsksWhich   bool        `json:"asksWhich"`
	Limit       *int        `json:"limit"`
}

type agentSpec struct {
	Name            string          `json:"name"`
	Model           *modelSpec      `json:"model"`
	Description     string          `json:"description"`
	Instruction     string          `json:"instruction"`
	Tools           []toolSpec      `json:"tools"`
	Handlers        []handlerSpec   `json:"handlers"`
	MaxIterations   *int            `json:"maxIterations"`
	SpareTools      []toolSpec      `json:"spareTools"`
	SpareModels     []modelSpec     `json:"spareModels"`
	MakesInput      bool            `json:"makesInput"`
	ExitTool        bool            `json:"exitTool"`
	ReturnDirectly  map[string]bool `json:"returnDirectly"`
	OutputKey       *string         `json:"outputKey"`
	Sequential      bool            `json:"sequential"`
	Retry           *retrySpec      `json:"retry"`
	Failover        *failoverSpec   `json:"failover"`
	Legacy          []legacySpec    `json:"legacy"`
	ToolMiddlewares []wrapsSpec     `json:"toolMiddlewares"`
	Callbacks       bool            `json:"callbacks"`
	InternalEvents  bool            `json:"internalEvents"`
}

func has(hooks []string, hook string) bool {
	for _, one := range hooks {
		if one == hook {
			return true
		}
	}
	return false
}
