package loopspec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"testing"
)

// exhausted is an error of an implementation that holds its last error and does not unwrap.
type exhausted struct{ last error }

func (exhausted) Error() string { return "no retries are left" }

// userError is an error with which an implementation wraps every other.
type userError struct{ cause error }

func (e userError) Error() string { return "user error: " + e.cause.Error() }

func (e userError) Unwrap() error { return e.cause }

var known = &Adapter{
	ErrorOf: func(err error) *Error {
		switch one := err.(type) {
		case exhausted:
			return &Error{Kind: "retries_exhausted", Last: one.last}
		case userError:
			return &Error{Kind: "invalid_config"}
		}
		return nil
	},
	KindOf: func(text string) string {
		if strings.Contains(text, "outside any run") {
			return "outside_run"
		}
		return ""
	},
}

func TestErrorsAreDescribedFromTheOutside(t *testing.T) {
	inner := exhausted{&ScriptedError{"busy"}}
	sent := known.describe(fmt.Errorf("outer: %w", errors.Join(inner, &ScriptedError{"other"})))
	if sent.Kind != "retries_exhausted" || sent.Cause == nil || sent.Cause.Code != "busy" {
		t.Errorf("the error is described as %+v", sent)
	}
	if sent.Message != "outer: no retries are left\nscripted error other" {
		t.Errorf("the message is %q", sent.Message)
	}
}

func TestKindsOfErrors(t *testing.T) {
	for _, one := range []struct {
		err        error
		kind, code string
	}{
		{io.ErrUnexpectedEOF, "other", ""},
		{errors.New("a value outside any run"), "outside_run", ""},
		{fmt.Errorf("outside any run: %w", &ScriptedError{"busy"}), "scripted", "busy"},
		{fmt.Errorf("read: %w", fs.ErrNotExist), "not_exist", ""},
		{context.Canceled, "cancelled", ""},
		{userError{errors.New("no model")}, "invalid_config", ""},
		{userError{fmt.Errorf("failed: %w", &ScriptedError{"busy"})}, "scripted", "busy"},
		{userError{fmt.Errorf("recovered: %v", crash{"oops"})}, "crash", "oops"},
		{userError{exhausted{&ScriptedError{"busy"}}}, "retries_exhausted", ""},
		{fmt.Errorf("recovered: %v", crash{"oops"}), "crash", "oops"},
	} {
		if sent := known.describe(one.err); sent.Kind != one.kind || sent.Code != one.code {
			t.Errorf("%v is described as %+v", one.err, sent)
		}
	}
}

func TestTheErrorOfAConstructorIsAnInvalidConfiguration(t *testing.T) {
	in := newCase(1, nil, known)
	if sent := in.Refusal(errors.New("no model")); sent.Kind != "invalid_config" {
		t.Errorf("an unknown error is a %s", sent.Kind)
	}
	if sent := in.Refusal(&ScriptedError{"busy"}); sent.Kind != "scripted" {
		t.Errorf("a scripted error is a %s", sent.Kind)
	}
	if sent := in.Refusal(nil); sent != nil {
		t.Errorf("no error is described as %+v", sent)
	}
}

func TestAFileErrorIsOneOfGo(t *testing.T) {
	for _, wrapped := range []bool{false, true} {
		if err := raised(&Error{Kind: "not_exist", Message: "/a.md"}, wrapped); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("wrapped %v: the error is %v", wrapped, err)
		}
	}
}

func TestALongMessageIsShortened(t *testing.T) {
	sent := known.describe(errors.New(strings.Repeat("é", longestText)))
	if len(sent.Message) > longestText+len("…") || !strings.HasSuffix(sent.Message, "é…") {
		t.Errorf("the message has %d bytes", len(sent.Message))
	}
}
