// Connects a loader with loopspec, in the role loader. loader.go calls the loader; the other files can stay.
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
		if !slices.Contains(p.ProtocolVersions, protocol) {
			refuse(-32010, fmt.Sprint("this adapter speaks version ", protocol))
			return
		}
		me := object{"name": name, "version": version, "language": "go"}
		answer(object{"protocolVersion": protocol, "implementation": me, "roles": []string{"loader"}})
	case "loader/load":
		read := func(path string) (string, error) { return read(p.Case, path) }
		warn := func(path, why string) {
			send(object{"method": "warning", "params": object{"case": p.Case, "path": path, "message": why}})
		}
		if sections, err := load(p.Files, p.MaxBytes, read, warn); err != nil {
			answer(object{"error": describe(err)})
		} else {
			answer(object{"value": object{"sections": sections}})
		}
	case "case/end", "ping": // this adapter keeps no state of a case
		answer(object{})
	default:
		refuse(-32601, "there is no method "+m.Method)
	}
}

// failure is an error of reading or loading, as the protocol has it.
type failure struct {
	Kind    string `json:"kind"`
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
}

func (f *failure) Error() string { return f.Kind + ": " + f.Message }

// native are the kinds of failure that Go has its own errors for.
var native = map[string]error{
	"not_exist": fs.ErrNotExist, "permission": fs.ErrPermission, "directory": syscall.EISDIR,
	"not_a_directory": syscall.ENOTDIR, "io": syscall.EIO, "cancelled": context.Canceled,
}

// read reads a file from the harness, and fails with Go's own errors.
func read(number int, path string) (string, error) {
	var r struct {
		Text    string
		Base64  []byte // instead of Text: the harness returns both forms
		Error   *failure
		Wrapped bool
	}
	call("files/read", object{"case": number, "request": object{"filePath": path}}, &r)
	if r.Error == nil {
		return r.Text + string(r.Base64), nil
	}
	err := error(r.Error)
	if known := native[r.Error.Kind]; known != nil {
		err = &fs.PathError{Op: "read " + r.Error.Message, Path: path, Err: known}
	}
	if r.Wrapped {
		err = fmt.Errorf("the backend failed: %w", err)
	}
	return "", err
}

// describe returns an error of the loader as the protocol has it.
func describe(err error) *failure {
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
