package main

import (
	"errors"
	"testing"

	"github.com/cloudwego/eino/adk"
)

func TestTheErrorsOfEinoAreKnown(t *testing.T) {
	last := errors.New("busy")
	if sent := errorOf(&adk.RetryExhaustedError{LastErr: last}); sent == nil || sent.Kind != "retries_exhausted" || sent.Last != last {
		t.Errorf("an exhausted retry is %+v", sent)
	}
	if sent := errorOf(&adk.WillRetryError{RetryAttempt: 2}); sent == nil || sent.Kind != "will_retry" || *sent.Attempt != 2 {
		t.Errorf("a retry notice is %+v", sent)
	}
	if sent := errorOf(last); sent != nil {
		t.Errorf("an unknown error is %+v", sent)
	}
}

func TestEinoNamesSomeErrorsByWords(t *testing.T) {
	for text, kind := range map[string]string{
		"failed to get state: no execution context": "outside_run",
		"failed to resume from checkpoint":          "checkpoint",
		"busy":                                      "",
	} {
		if found := kindOf(text); found != kind {
			t.Errorf("%q is %q", text, found)
		}
	}
}
