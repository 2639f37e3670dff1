package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/cloudwego/eino-ext/adk/backend/local"
	"github.com/cloudwego/eino/adk/filesystem"
	"loopspec/kits/go/loopspec"
)

// memory is eino's InMemoryBackend.
type memory struct {
	backend    *filesystem.InMemoryBackend
	translates translation
}

func newMemory(translates translation) func() (*memory, error) {
	return func() (*memory, error) { return &memory{filesystem.NewInMemoryBackend(), translates}, nil }
}

// Read reads a file, or some of its lines.
func (m *memory) Read(ctx context.Context, request loopspec.ReadRequest) ([]byte, error) {
	return read(ctx, m.backend, request, m.translates)
}

// Write writes a file by the backend's own Write, which refuses no name.
func (m *memory) Write(ctx context.Context, path string, content []byte) error {
	return m.backend.Write(ctx, &filesystem.WriteRequest{FilePath: path, Content: string(content)})
}

// localFiles is the Local backend of eino-ext. The backend has no root: a path of a scene follows the path of the folder.
type localFiles struct {
	*folder
	backend    *local.Local
	translates translation
}

func newLocal(translates translation) func() (*localFiles, error) {
	return func() (*localFiles, error) {
		backend, err := local.NewBackend(context.Background(), &local.Config{})
		if err != nil {
			return nil, err
		}
		at, err := newFolder()
		return &localFiles{at, backend, translates}, err
	}
}

// Read reads a file, or some of its lines.
func (l *localFiles) Read(ctx context.Context, request loopspec.ReadRequest) ([]byte, error) {
	request.Path = l.root + "/" + request.Path
	return read(ctx, l.backend, request, l.translates)
}

// Write writes a file by the backend's own Write, whose error refuses the name: the disk accepts other names.
func (l *localFiles) Write(ctx context.Context, path string, content []byte) error {
	sent := &filesystem.WriteRequest{FilePath: l.root + "/" + path, Content: string(content)}
	if err := l.backend.Write(ctx, sent); err != nil {
		return refused(err)
	}
	return nil
}

func read(
	ctx context.Context, from filesystem.Backend, sent loopspec.ReadRequest, translates translation,
) ([]byte, error) {
	got, err := from.Read(ctx, &filesystem.ReadRequest{FilePath: sent.Path, Offset: sent.Offset, Limit: sent.Limit})
	if err != nil {
		return nil, translates(err)
	}
	if got == nil {
		return nil, errors.New("the backend returned no content")
	}
	return []byte(got.Content), nil
}

// A translation returns the error that a loader recognizes for an error of a backend.
type translation func(err error) error

// translated returns the error for a missing file. eino's error has no type: its text identifies the error.
func translated(err error) error {
	if strings.HasPrefix(err.Error(), "file not found: ") {
		return fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	return err
}

func untranslated(err error) error { return err }
