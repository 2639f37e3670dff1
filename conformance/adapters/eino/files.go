package main

import (
	"context"

	"github.com/cloudwego/eino/adk/filesystem"
	"github.com/cloudwego/eino/adk/middlewares/agentsmd"
	"loopspec/kits/go/loopspec"
)

// files is the harness's backend.
type files struct{}

// Read reads a file of the scene.
func (files) Read(ctx context.Context, req *filesystem.ReadRequest) (*filesystem.FileContent, error) {
	text, err := loopspec.ReadFile(ctx, req.FilePath, req.Offset, req.Limit)
	if text == nil {
		return nil, err
	}
	return &filesystem.FileContent{Content: *text}, err
}

// configOf is the configuration as eino has it, without what the harness leaves out.
func configOf(in *loopspec.Case, c *loopspec.InstructionsConfig) *agentsmd.Config {
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
	if c.HasBackend() {
		built.Backend = files{}
	}
	if c.HasCallback() {
		built.OnLoadWarning = func(path string, err error) { // eino calls it without a context
			in.Warn(in.OnlyRun(), path, err)
		}
	}
	return built
}
