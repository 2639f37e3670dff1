package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"syscall"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/schema"
)

// scriptedError is the scripted error of a double.
type scriptedError struct{ code string }

func (e *scriptedError) Error() string { return "scripted error " + e.code }

// crash is the scripted crash of a double, a panic. eino keeps only the text of a panic, so the text holds the code.
type crash struct{ code string }

func (s crash) String() string { return "«scripted crash " + s.code + "»" }

var crashed = regexp.MustCompile(`«scripted crash (.*?)»`)

var systemErrors = map[string]error{
	"not_exist":       fs.ErrNotExist,
	"permission":      fs.ErrPermission,
	"directory":       syscall.EISDIR,
	"not_a_directory": syscall.ENOTDIR,
	"io":              syscall.EIO,
	"cancelled":       context.Canceled,
}

// raised is an error of the harness as a Go error. It panics with a scripted crash.
func raised(wire *wireError, wrapped bool) error {
	if wire == nil {
		return nil
	}
	var err error
	switch {
	case wire.Kind == "crash":
		panic(crash{wire.Code})
	case systemErrors[wire.Kind] != nil:
		err = fmt.Errorf("%s: %w", wire.Message, systemErrors[wire.Kind])
		if !wrapped {
			err = &fs.PathError{Op: "read", Path: wire.Message, Err: systemErrors[wire.Kind]}
		}
	default:
		err = &scriptedError{wire.Code}
	}
	if wrapped {
		return fmt.Errorf("by the backend: %w", err)
	}
	return err
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

// describe is an error as the protocol has it: the first known one along its causes, from the outside.
func describe(err error) *wireError {
	if err == nil {
		return nil
	}
	sent := known(err)
	if sent == nil {
		sent = &wireError{Kind: kindOf(err.Error())}
		if found := crashed.FindStringSubmatch(err.Error()); found != nil {
			sent.Kind, sent.Code = "crash", found[1]
		}
	}
	sent.Message = shortened(err.Error())
	return sent
}

func kindOf(text string) string {
	for _, one := range worded {
		if strings.Contains(text, one.words) {
			return one.kind
		}
	}
	return "other"
}

func known(err error) *wireError {
	for err != nil {
		if sent := itself(err); sent != nil {
			return sent
		}
		if several, ok := err.(interface{ Unwrap() []error }); ok {
			for _, one := range several.Unwrap() {
				if sent := known(one); sent != nil {
					return sent
				}
			}
			return nil
		}
		err = errors.Unwrap(err)
	}
	return nil
}

// itself identifies an error without looking at its causes.
func itself(err error) *wireError {
	switch one := err.(type) {
	case *scriptedError:
		return &wireError{Kind: "scripted", Code: one.code}
	case *adk.WillRetryError:
		attempt := one.RetryAttempt
		return &wireError{Kind: "will_retry", Attempt: &attempt}
	case *adk.RetryExhaustedError:
		return &wireError{Kind: "retries_exhausted", Cause: describe(one.LastErr)}
	case *adk.CancelError:
		return &wireError{Kind: "cancel"}
	case *adk.StreamCanceledError:
		return &wireError{Kind: "stream_cancelled"}
	}
	switch err {
	case adk.ErrExceedMaxIterations:
		return &wireError{Kind: "max_iterations"}
	case adk.ErrExceedMaxRetries:
		return &wireError{Kind: "retries_exhausted"}
	case schema.ErrNoValue:
		return &wireError{Kind: "nothing_returned"}
	}
	for kind, system := range systemErrors {
		if err == system {
			return &wireError{Kind: kind}
		}
	}
	return nil
}

// refusal describes the error of a constructor: an invalid configuration, unless the error is a known one.
func refusal(err error) *wireError {
	sent := describe(err)
	if sent != nil && sent.Kind == "other" {
		sent.Kind = "invalid_config"
	}
	return sent
}

const longestText = 2000

func shortened(text string) string {
	if len(text) > longestText {
		return strings.ToValidUTF8(text[:longestText], "") + "…"
	}
	return text
}
