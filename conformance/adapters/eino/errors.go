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

// scriptedError is what a double fails with.
type scriptedError struct{ code string }

func (e *scriptedError) Error() string { return "scripted error " + e.code }

// surprise is what a double panics with. eino keeps nothing of a panic but its text, so that the code is in there.
type surprise struct{ code string }

func (s surprise) String() string { return "«scripted surprise " + s.code + "»" }

var surprised = regexp.MustCompile(`«scripted surprise (.*?)»`)

var systemErrors = map[string]error{
	"not_exist":       fs.ErrNotExist,
	"permission":      fs.ErrPermission,
	"directory":       syscall.EISDIR,
	"not_a_directory": syscall.ENOTDIR,
	"io":              syscall.EIO,
	"cancelled":       context.Canceled,
}

// raised is an error of the harness as Go has it. It panics with what is unforeseen.
func raised(wire *wireError, wrapped bool) error {
	if wire == nil {
		return nil
	}
	var err error
	switch {
	case wire.Kind == "unforeseen":
		panic(surprise{wire.Code})
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

// eino has no errors of its own for these: it says them in words, and that is how they are known.
var worded = []struct{ words, kind string }{
	{"execution context", "outside_run"},
	{"is not gob-serializable", "unregistered_type"},
	{"failed to format instruction", "instruction"},
	{"not found in toolsNode indexes", "unknown_tool"},
	{"failed to load from checkpoint", "checkpoint"},
	{"failed to resume", "checkpoint"},
}

// told is an error in the contract's words: the first one known along its causes, from outside in.
func told(err error) *wireError {
	if err == nil {
		return nil
	}
	said := known(err)
	if said == nil {
		said = &wireError{Kind: kindOf(err.Error())}
		if found := surprised.FindStringSubmatch(err.Error()); found != nil {
			said.Kind, said.Code = "unforeseen", found[1]
		}
	}
	said.Message = shortened(err.Error())
	return said
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
		if said := itself(err); said != nil {
			return said
		}
		if several, ok := err.(interface{ Unwrap() []error }); ok {
			for _, one := range several.Unwrap() {
				if said := known(one); said != nil {
					return said
				}
			}
			return nil
		}
		err = errors.Unwrap(err)
	}
	return nil
}

// itself says what an error is, without a look at its causes.
func itself(err error) *wireError {
	switch one := err.(type) {
	case *scriptedError:
		return &wireError{Kind: "scripted", Code: one.code}
	case *adk.WillRetryError:
		attempt := one.RetryAttempt
		return &wireError{Kind: "will_retry", Attempt: &attempt}
	case *adk.RetryExhaustedError:
		return &wireError{Kind: "retries_exhausted", Cause: told(one.LastErr)}
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

// refusal is what a constructor says: a configuration that it does not take, unless it is something else that is known.
func refusal(err error) *wireError {
	said := told(err)
	if said != nil && said.Kind == "other" {
		said.Kind = "invalid_config"
	}
	return said
}

const longestText = 2000

func shortened(text string) string {
	if len(text) > longestText {
		return strings.ToValidUTF8(text[:longestText], "") + "…"
	}
	return text
}
