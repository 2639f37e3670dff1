package main

import "encoding/json"

// The values of the protocol. An absent field has its default.

type toolCall struct {
	ID   string  `json:"id"`
	Name string  `json:"name"`
	Args *string `json:"args,omitempty"` // absent: "{}"
}

func (c toolCall) args() string {
	if c.Args == nil {
		return "{}"
	}
	return *c.Args
}

type part struct {
	Text string `json:"text,omitempty"`
	URL  string `json:"url,omitempty"`
}

type toolInfo struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitempty"`
	Parameters  map[string]any `json:"parameters,omitempty"`
}

type message struct {
	Role       string         `json:"role"`
	Content    string         `json:"content,omitempty"`
	Parts      []part         `json:"parts,omitempty"`
	ToolCalls  []toolCall     `json:"toolCalls,omitempty"`
	ToolCallID *string        `json:"toolCallId,omitempty"`
	ToolName   *string        `json:"toolName,omitempty"`
	Extra      map[string]any `json:"extra,omitempty"`
}

type wireError struct {
	Kind    string     `json:"kind"`
	Code    string     `json:"code,omitempty"`
	Message string     `json:"message,omitempty"`
	Attempt *int       `json:"attempt,omitempty"`
	Cause   *wireError `json:"cause,omitempty"`
}

type modelRequest struct {
	Messages      []message      `json:"messages,omitempty"`
	Tools         []toolInfo     `json:"tools,omitempty"`
	DeferredTools []toolInfo     `json:"deferredTools,omitempty"`
	ToolSearch    *toolInfo      `json:"toolSearch,omitempty"`
	Options       map[string]any `json:"options,omitempty"`
	Streaming     bool           `json:"streaming,omitempty"`
	Model         *string        `json:"model,omitempty"`
}

type resumed struct {
	State any `json:"state,omitempty"`
	Data  any `json:"data,omitempty"`
}

type toolRequest struct {
	Tool    string         `json:"tool"`
	CallID  string         `json:"callId,omitempty"`
	Args    string         `json:"args,omitempty"`
	Kind    string         `json:"kind,omitempty"` // absent: invokable
	Options map[string]any `json:"options,omitempty"`
	Resumed *resumed       `json:"resumed,omitempty"`
}

type toolAnswer struct {
	Text  string `json:"text,omitempty"`
	Parts []part `json:"parts,omitempty"`
}

type start struct {
	Instruction    string   `json:"instruction"`
	Tools          []string `json:"tools"`
	ReturnDirectly []string `json:"returnDirectly"`
	ToolSearch     *string  `json:"toolSearch,omitempty"`
}

type state struct {
	Messages      []message `json:"messages,omitempty"`
	Tools         []string  `json:"tools"`
	DeferredTools []string  `json:"deferredTools,omitempty"`
}

// edited is the state that a hook returns; a number among the messages is the index of a message that stays.
type edited struct {
	Messages      []json.RawMessage `json:"messages"`
	Tools         []string          `json:"tools"`
	DeferredTools []string          `json:"deferredTools"`
}

type modelContext struct {
	Tools    []string `json:"tools"`
	Retry    bool     `json:"retry"`
	Failover bool     `json:"failover"`
}

type chosen struct {
	Model    *string    `json:"model"`
	Messages *[]message `json:"messages"`
}

// runValue is a run-local or session value: JSON, or of a type of the adapter's own.
type runValue struct {
	Value        json.RawMessage `json:"value,omitempty"`
	Registered   *int            `json:"registered,omitempty"`
	Unregistered bool            `json:"unregistered,omitempty"`
}
