package main

import (
	"context"

	"github.com/cloudwego/eino/adk/filesystem"
	"github.com/cloudwego/eino/adk/middlewares/agentsmd"
)

type readFile struct {
	adapterMessage
	Path   string `json:"path"`
	Offset int    `json:"offset"`
	Limit  int    `json:"limit,omitempty"`
}

type fileReply struct {
	reply
	Text    *string `json:"text"`
	Base64  []byte  `json:"base64"`
	Wrapped bool    `json:"wrapped"`
	raised  *wireError
}

// base takes the error out: only this reply knows whether it is wrapped, and it may come with content.
func (f *fileReply) base() *reply {
	f.raised, f.reply.Error = f.reply.Error, nil
	return &f.reply
}

// files is the harness's backend.
type files struct{}

// Read reads a file of the scene.
func (files) Read(ctx context.Context, req *filesystem.ReadRequest) (*filesystem.FileContent, error) {
	var got fileReply
	asked := readFile{adapterMessage: from(ctx), Path: req.FilePath, Offset: req.Offset, Limit: req.Limit}
	if err := ask(ctx, "files/read", asked, &got, noInside{}); err != nil {
		return nil, err
	}
	var content *filesystem.FileContent
	if got.Base64 != nil {
		content = &filesystem.FileContent{Content: string(got.Base64)}
	} else if got.Text != nil {
		content = &filesystem.FileContent{Content: *got.Text}
	}
	return content, raised(got.raised, got.Wrapped)
}

type warned struct {
	adapterMessage
	Path    string `json:"path"`
	Message string `json:"message,omitempty"`
}

// eino is the configuration as eino has it, without what the harness leaves out.
func (c *instructionsConfig) eino(in *activeCase) *agentsmd.Config {
	if c == nil {
		return nil
	}
	built := &agentsmd.Config{}
	if c.Files != nil {
		built.AgentsMDFiles = *c.Files
	}
	if c.MaxBytes != nil {
		built.AllAgentsMDMaxBytes = *c.MaxBytes
	}
	if c.Backend == nil || *c.Backend {
		built.Backend = files{}
	}
	if c.Callback == nil || *c.Callback {
		built.OnLoadWarning = func(path string, err error) { // eino calls it without a context
			in.peer.notify("warning", warned{adapterMessage{Case: in.number, Run: in.onlyRun()}, path, err.Error()})
		}
	}
	return built
}
