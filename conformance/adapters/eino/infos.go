package main

import (
	"encoding/json"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"
)

// What models are told about tools.

func wireInfo(info *schema.ToolInfo) toolInfo {
	said := toolInfo{Name: info.Name, Description: info.Desc}
	parameters, err := info.ParamsOneOf.ToJSONSchema()
	if err != nil || parameters == nil {
		return said
	}
	if text, err := json.Marshal(parameters); err == nil {
		_ = json.Unmarshal(text, &said.Parameters)
	}
	return said
}

func wireInfos(infos []*schema.ToolInfo) []toolInfo {
	said := make([]toolInfo, 0, len(infos))
	for _, one := range infos {
		said = append(said, wireInfo(one))
	}
	return said
}

func infoOf(said toolInfo) *schema.ToolInfo {
	return &schema.ToolInfo{Name: said.Name, Desc: said.Description, ParamsOneOf: parametersOf(said.Parameters)}
}

func parametersOf(said map[string]any) *schema.ParamsOneOf {
	if len(said) == 0 {
		return nil
	}
	var parameters jsonschema.Schema
	if text, err := json.Marshal(said); err != nil || json.Unmarshal(text, &parameters) != nil {
		return nil
	}
	return schema.NewParamsOneOfByJSONSchema(&parameters)
}

func names(infos []*schema.ToolInfo) []string {
	said := make([]string, 0, len(infos))
	for _, one := range infos {
		said = append(said, one.Name)
	}
	return said
}

// pickInfos finds infos by their names; where they are those there were, in their order, it is the same list.
func pickInfos(wanted []string, there []*schema.ToolInfo, others ...*schema.ToolInfo) []*schema.ToolInfo {
	if same(wanted, names(there)) {
		return there
	}
	known := map[string]*schema.ToolInfo{}
	for _, one := range append(append([]*schema.ToolInfo{}, there...), others...) {
		known[one.Name] = one
	}
	picked := make([]*schema.ToolInfo, 0, len(wanted))
	for _, name := range wanted {
		if known[name] == nil {
			known[name] = &schema.ToolInfo{Name: name}
		}
		picked = append(picked, known[name])
	}
	return picked
}

func same(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for at := range a {
		if a[at] != b[at] {
			return false
		}
	}
	return true
}

// requestOf is what a model is sent, in the contract's words.
func requestOf(messages []message, streaming bool, opts []model.Option) modelRequest {
	given := model.GetCommonOptions(nil, opts...)
	said := modelRequest{
		Messages: messages, Tools: wireInfos(given.Tools), DeferredTools: wireInfos(given.DeferredTools), Streaming: streaming,
	}
	if given.ToolSearchTool != nil {
		search := wireInfo(given.ToolSearchTool)
		said.ToolSearch = &search
	}
	return said
}

// optionsOf are the options of a request that a wrapper has changed: those there were, and what is new.
func optionsOf(wanted modelRequest, opts []model.Option) []model.Option {
	given := model.GetCommonOptions(nil, opts...)
	changed := opts[:len(opts):len(opts)]
	if infos := pickInfos(namesIn(wanted.Tools), given.Tools, infosOf(wanted.Tools)...); !sameInfos(infos, given.Tools) {
		changed = append(changed, model.WithTools(infos))
	}
	if infos := pickInfos(namesIn(wanted.DeferredTools), given.DeferredTools, infosOf(wanted.DeferredTools)...); !sameInfos(infos, given.DeferredTools) {
		changed = append(changed, model.WithDeferredTools(infos))
	}
	return changed
}

func infosOf(said []toolInfo) []*schema.ToolInfo {
	infos := make([]*schema.ToolInfo, 0, len(said))
	for _, one := range said {
		infos = append(infos, infoOf(one))
	}
	return infos
}

func namesIn(said []toolInfo) []string {
	found := make([]string, 0, len(said))
	for _, one := range said {
		found = append(found, one.Name)
	}
	return found
}

func sameInfos(a, b []*schema.ToolInfo) bool { return same(names(a), names(b)) }
