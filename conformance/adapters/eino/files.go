package main

import (
	"context"

	"github.com/cloudwego/eino/adk/filesystem"
	"github.com/cloudwego/eino/adk/middlewares/agentsmd"
)

type readFile struct {
	fromAdapter
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

// base takes the error out: whether it is wrapped, only this reply knows, and content may come with it.
func (f *fileReply) base() *reply {
	f.raised, f.reply.Error = f.reply.Error, nil
	return &f.reply
}

// files is the harness's backend.
type files struct{}

// Read reads a file of the scene.
func (files) Read(ctx context.Context, req *filesystem.ReadRequest) (*filesystem.FileContent, error) {
	var got fileReply
	asked := readFile{fromAdapter: from(ctx), Path: req.FilePath, Offset: req.Offset, Limit: req.Limit}
	if err := ask(ctx, "files/read", asked, &got, nobody{}); err != nil {
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
	fromAdapter
	Path    string `json:"path"`
	Message string `json:"message,omitempty"`
}

// eino's is the configuration as eino has it; what is left out stays left out.
func (c *instructionsConfig) eino(in *caseInHand) *agentsmd.Config {
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
			in.peer.notify("warning", warned{fromAdapter{Case: in.number, Run: in.onlyRun()}, path, err.Error()})
		}
	}
	return built
}
