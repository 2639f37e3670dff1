// Puts a loader before loopspec, in the role loader. What is judged is called in loader.go; the rest can stay as it is.
// Standard output is for messages only: print to standard error.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"
)

func main() { listen(serve) }

func serve(m message) {
	answer := func(result object) { send(object{"id": m.ID, "result": result}) }
	refuse := func(code int, why string) { send(object{"id": m.ID, "error": object{"code": code, "message": why}}) }
	var p struct {
		ProtocolVersions []int
		Case, MaxBytes   int
		Files            []string
	}
	parse(m.Params, &p)
	switch m.Method {
	case "initialize":
		if !slices.Contains(p.ProtocolVersions, 1) {
			refuse(-32010, "this adapter speaks version 1")
			return
		}
		me := object{"name": name, "version": version, "language": "go"}
		answer(object{"protocolVersion": 1, "implementation": me, "roles": []string{"loader"}})
	case "loader/load":
		read := func(path string) (string, error) { return read(p.Case, path) }
		warn := func(path, why string) {
			send(object{"method": "warning", "params": object{"case": p.Case, "path": path, "message": why}})
		}
		if sections, err := load(p.Files, p.MaxBytes, read, warn); err != nil {
			answer(object{"error": told(err)})
		} else {
			answer(object{"sections": sections})
		}
	case "case/end", "ping": // nothing is kept from one case to the next
		answer(object{})
	default:
		refuse(-32601, "there is no method "+m.Method)
	}
}

// failure is what reading or loading fails with, as the protocol has it.
type failure struct {
	Kind    string `json:"kind"`
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
}

func (f *failure) Error() string { return f.Kind + ": " + f.Message }

// native are the kinds of failure that Go has errors of its own for.
var native = map[string]error{
	"not_exist": fs.ErrNotExist, "permission": fs.ErrPermission, "directory": syscall.EISDIR,
	"not_a_directory": syscall.ENOTDIR, "io": syscall.EIO, "cancelled": context.Canceled,
}

// read asks the harness for a file, and fails as Go does.
func read(number int, path string) (string, error) {
	var r struct {
		Text    string
		Base64  []byte // instead, where it is no UTF-8
		Error   *failure
		Wrapped bool
	}
	ask("files/read", object{"case": number, "path": path}, &r)
	if r.Error == nil {
		return r.Text + string(r.Base64), nil
	}
	err := error(r.Error)
	if known := native[r.Error.Kind]; known != nil {
		err = &fs.PathError{Op: "read " + r.Error.Message, Path: path, Err: known}
	}
	if r.Wrapped {
		err = fmt.Errorf("the backend has failed: %w", err)
	}
	return "", err
}

// told is an error of the loader's as the harness is told of it.
func told(err error) *failure {
	var own *failure
	if errors.As(err, &own) {
		return own
	}
	for kind, known := range native {
		if errors.Is(err, known) {
			return &failure{Kind: kind, Message: err.Error()}
		}
	}
	return &failure{Kind: "other", Message: err.Error()}
}
