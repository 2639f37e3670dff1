package loopspec

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"syscall"
)

// An Error is an error as the protocol has it. Kind is one of the kinds that the page of the protocol lists.
type Error struct {
	Kind    string `json:"kind"`
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	Attempt *int   `json:"attempt,omitempty"`
	Cause   *Error `json:"cause,omitempty"`

	// Last is the error that the kit describes in Cause.
	Last error `json:"-"`
}

// A ScriptedError is the scripted error of a double.
type ScriptedError struct{ Code string }

// Error returns a text with the code.
func (e *ScriptedError) Error() string { return "scripted error " + e.Code }

// crash is the scripted crash of a double, a panic. Many implementations keep only the text of a panic, so the text
// holds the code.
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

// raised is an error of the harness as a Go error. A scripted crash panics.
func raised(wire *Error, wrapped bool) error {
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
		err = &ScriptedError{wire.Code}
	}
	if wrapped {
		return fmt.Errorf("by the backend: %w", err)
	}
	return err
}

// Describe returns an error as the protocol has it. A scripted error or crash among the causes takes precedence over
// errors of the implementation, which the functions ErrorOf and KindOf of the adapter identify. An error of the kind
// will_retry or retries_exhausted is about another error, so no cause replaces it.
func (c *Case) Describe(err error) *Error { return c.adapter.describe(err) }

// Refusal describes the error of a constructor: an invalid configuration, unless the error is a known one.
func (c *Case) Refusal(err error) *Error {
	sent := c.Describe(err)
	if sent != nil && sent.Kind == "other" {
		sent.Kind = "invalid_config"
	}
	return sent
}

func (a *Adapter) describe(err error) *Error {
	if err == nil {
		return nil
	}
	sent := along(err, func(link error) *Error {
		if one, ok := link.(*ScriptedError); ok {
			return &Error{Kind: "scripted", Code: one.Code}
		}
		if one := a.own(link); one != nil && (one.Kind == "will_retry" || one.Kind == "retries_exhausted") {
			return one
		}
		return nil
	})
	if found := crashed.FindStringSubmatch(err.Error()); sent == nil && found != nil {
		sent = &Error{Kind: "crash", Code: found[1]}
	}
	if sent == nil {
		sent = along(err, a.known)
	}
	if sent == nil {
		sent = &Error{Kind: a.kindOf(err.Error())}
	}
	sent.Message = shortened(err.Error())
	return sent
}

func (a *Adapter) kindOf(text string) string {
	if a.KindOf != nil {
		if kind := a.KindOf(text); kind != "" {
			return kind
		}
	}
	return "other"
}

// along returns the first error that a function identifies among an error and its causes, from the outside.
func along(err error, identify func(link error) *Error) *Error {
	for err != nil {
		if sent := identify(err); sent != nil {
			return sent
		}
		if several, ok := err.(interface{ Unwrap() []error }); ok {
			for _, one := range several.Unwrap() {
				if sent := along(one, identify); sent != nil {
					return sent
				}
			}
			return nil
		}
		err = errors.Unwrap(err)
	}
	return nil
}

// own identifies an error of the implementation.
func (a *Adapter) own(link error) *Error {
	if a.ErrorOf == nil {
		return nil
	}
	sent := a.ErrorOf(link)
	if sent != nil {
		sent.Cause = a.describe(sent.Last)
	}
	return sent
}

// known identifies an error of the implementation, or of a file.
func (a *Adapter) known(link error) *Error {
	if sent := a.own(link); sent != nil {
		return sent
	}
	for kind, system := range systemErrors {
		is, ok := link.(interface{ Is(error) bool }) // an error number of the system, and a client's own error
		if link == system || ok && is.Is(system) {
			return &Error{Kind: kind}
		}
	}
	return nil
}

const longestText = 2000

func shortened(text string) string {
	if len(text) > longestText {
		return strings.ToValidUTF8(text[:longestText], "") + "…"
	}
	return text
}

// failure is an error or a panic, which passes a wrapper unchanged.
type failure struct {
	err      error
	panicked any
}

func (f failure) failed() bool { return f.err != nil || f.panicked != nil }

func (f failure) raised() error {
	if f.panicked != nil {
		panic(f.panicked)
	}
	return f.err
}

// asError is the failure as one error, for a description.
func (f failure) asError() error {
	if f.panicked != nil {
		return fmt.Errorf("panic: %v", f.panicked)
	}
	return f.err
}

// guarded calls a function and keeps a panic.
func guarded(work func() error) (came failure) {
	defer func() {
		if panicked := recover(); panicked != nil {
			came.panicked = panicked
		}
	}()
	came.err = work()
	return came
}
