package main

import (
	"context"
	"os"
	"path"
	"strconv"
	"sync/atomic"

	"loopspec/kits/go/loopspec"
)

// rooted is os.Root, which reads nothing outside its folder.
type rooted struct {
	*folder
	files   *os.Root
	written atomic.Int64
}

func newRoot() (*rooted, error) {
	at, err := newFolder()
	if err != nil {
		return nil, err
	}
	files, err := os.OpenRoot(at.root)
	return &rooted{folder: at, files: files}, err
}

// Read reads a whole file.
func (r *rooted) Read(_ context.Context, request loopspec.ReadRequest) ([]byte, error) {
	return r.files.ReadFile(request.Path)
}

// Write writes a file next to the old one, and moves it: a concurrent read sees the old content or the new one. An error
// refuses the name: the disk accepts other names.
func (r *rooted) Write(_ context.Context, name string, content []byte) error {
	err := r.files.MkdirAll(path.Dir(name), 0o755)
	fresh := ".new-" + strconv.FormatInt(r.written.Add(1), 10)
	if err == nil {
		err = r.files.WriteFile(fresh, content, 0o644)
	}
	if err == nil {
		err = r.files.Rename(fresh, name)
	}
	if err != nil {
		return refused(err)
	}
	return nil
}

// Close closes the root and removes the folder.
func (r *rooted) Close() error {
	if err := r.files.Close(); err != nil {
		return err
	}
	return r.folder.Close()
}
