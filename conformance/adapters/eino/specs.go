package main

import "encoding/json"

// The specs of agents, as the harness sends them.

type instructionsConfig struct {
	Files    *[]string `json:"files"`
	MaxBytes *int      `json:"maxBytes"`
	Callback *bool     `json:"callback"` // absent: true
	Backend  *bool     `json:"backend"`  // absent: true
}

type modelSpec struct {
	Name             string `json:"name"`
	ReportsCallbacks bool   `json:"reportsCallbacks"`
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
	Hooks   []string        `json:"hooks"`  // the hooks that it has
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

type toolMiddlewareSpec struct {
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
	MaxRetries     int  `json:"maxRetries"`
	HasIsRetryable bool `json:"hasIsRetryable"`
	HasIsAccepted  bool `json:"hasIsAccepted"`
	HasDelay       bool `json:"hasDelay"`
}

type failoverSpec struct {
	Models            []modelSpec `json:"models"`
	HasShouldFailover bool        `json:"hasShouldFailover"`
	HasNextModel      bool        `json:"hasNextModel"`
	Limit             *int        `json:"limit"`
}

type agentSpec struct {
	Name             string               `json:"name"`
	Model            *modelSpec           `json:"model"`
	Description      string               `json:"description"`
	Instruction      string               `json:"instruction"`
	Tools            []toolSpec           `json:"tools"`
	Handlers         []handlerSpec        `json:"handlers"`
	MaxIterations    *int                 `json:"maxIterations"`
	AdditionalTools  []toolSpec           `json:"additionalTools"`
	AdditionalModels []modelSpec          `json:"additionalModels"`
	MakesInput       bool                 `json:"makesInput"`
	ExitTool         bool                 `json:"exitTool"`
	ReturnDirectly   map[string]bool      `json:"returnDirectly"`
	OutputKey        *string              `json:"outputKey"`
	Sequential       bool                 `json:"sequential"`
	Retry            *retrySpec           `json:"retry"`
	Failover         *failoverSpec        `json:"failover"`
	Legacy           []legacySpec         `json:"legacy"`
	ToolMiddlewares  []toolMiddlewareSpec `json:"toolMiddlewares"`
	Callbacks        bool                 `json:"callbacks"`
	InternalEvents   bool                 `json:"internalEvents"`
}

func has(hooks []string, hook string) bool {
	for _, one := range hooks {
		if one == hook {
			return true
		}
	}
	return false
}
