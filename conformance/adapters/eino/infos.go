package main

import (
	"encoding/json"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	"github.com/eino-contrib/jsonschema"
	"loopspec/kits/go/loopspec"
)

// The information about tools that models receive.

func wireInfo(info *schema.ToolInfo) loopspec.ToolInfo {
	sent := loopspec.ToolInfo{Name: info.Name, Description: info.Desc}
	parameters, err := info.ParamsOneOf.ToJSONSchema()
	if err != nil || parameters == nil {
		return sent
	}
	if text, err := json.Marshal(parameters); err == nil {
		_ = json.Unmarshal(text, &sent.Parameters)
	}
	return sent
}

func wireInfos(infos []*schema.ToolInfo) []loopspec.ToolInfo {
	sent := make([]loopspec.ToolInfo, 0, len(infos))
	for _, one := range infos {
		sent = append(sent, wireInfo(one))
	}
	return sent
}

func infoOf(sent loopspec.ToolInfo) *schema.ToolInfo {
	return &schema.ToolInfo{Name: sent.Name, Desc: sent.Description, ParamsOneOf: parametersOf(sent.Parameters)}
}

func parametersOf(sent map[string]any) *schema.ParamsOneOf {
	if sent == nil {
		return nil
	}
	var parameters jsonschema.Schema
	if text, err := json.Marshal(sent); err != nil || json.Unmarshal(text, &parameters) != nil {
		return nil
	}
	return schema.NewParamsOneOfByJSONSchema(&parameters)
}

func names(infos []*schema.ToolInfo) []string {
	sent := make([]string, 0, len(infos))
	for _, one := range infos {
		sent = append(sent, one.Name)
	}
	return sent
}

// pickInfos finds infos by their names. Where nothing changes, it returns the same list.
func pickInfos(wanted []string, there []*schema.ToolInfo, others ...*schema.ToolInfo) []*schema.ToolInfo {
	if equal(wanted, names(there)) {
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

func equal(a, b []string) bool {
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

// callOf is a call of a model, as the kit has it.
func callOf[M adk.MessageType](messages []M, opts []model.Option) loopspec.ModelCall[M] {
	given := model.GetCommonOptions(nil, opts...)
	call := loopspec.ModelCall[M]{
		Messages: messages, Tools: wireInfos(given.Tools), DeferredTools: wireInfos(given.DeferredTools),
	}
	if given.ToolSearchTool != nil {
		search := wireInfo(given.ToolSearchTool)
		call.ToolSearch = &search
	}
	return call
}

// optionsOf are the options of a call that a wrapper has changed: the original ones, and the changes.
func optionsOf[M adk.MessageType](wanted loopspec.ModelCall[M], opts []model.Option) []model.Option {
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

func infosOf(sent []loopspec.ToolInfo) []*schema.ToolInfo {
	infos := make([]*schema.ToolInfo, 0, len(sent))
	for _, one := range sent {
		infos = append(infos, infoOf(one))
	}
	return infos
}

func namesIn(sent []loopspec.ToolInfo) []string {
	found := make([]string, 0, len(sent))
	for _, one := range sent {
		found = append(found, one.Name)
	}
	return found
}

func sameInfos(a, b []*schema.ToolInfo) bool { return equal(names(a), names(b)) }
