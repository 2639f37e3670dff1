package main

import (
	"strings"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/schema"
	"loopspec/kits/go/loopspec"
)

// errorOf identifies an error of eino without looking at its causes.
func errorOf(err error) *loopspec.Error {
	switch one := err.(type) {
	case *adk.WillRetryError:
		attempt := one.RetryAttempt
		return &loopspec.Error{Kind: "will_retry", Attempt: &attempt}
	case *adk.RetryExhaustedError:
		return &loopspec.Error{Kind: "retries_exhausted", Last: one.LastErr}
	case *adk.CancelError:
		return &loopspec.Error{Kind: "cancel"}
	case *adk.StreamCanceledError:
		return &loopspec.Error{Kind: "stream_cancelled"}
	}
	switch err {
	case adk.ErrExceedMaxIterations:
		return &loopspec.Error{Kind: "max_iterations"}
	case adk.ErrExceedMaxRetries:
		return &loopspec.Error{Kind: "retries_exhausted"}
	case schema.ErrNoValue:
		return &loopspec.Error{Kind: "nothing_returned"}
	}
	return nil
}

// eino has no error values for these: their words identify them.
var worded = []struct{ words, kind string }{
	{"execution context", "outside_run"},
	{"is not gob-serializable", "unregistered_type"},
	{"failed to format instruction", "instruction"},
	{"not found in toolsNode indexes", "unknown_tool"},
	{"failed to load from checkpoint", "checkpoint"},
	{"failed to resume", "checkpoint"},
}

func kindOf(text string) string {
	for _, one := range worded {
		if strings.Contains(text, one.words) {
			return one.kind
		}
	}
	return ""
}
