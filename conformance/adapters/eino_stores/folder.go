package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"

	"loopspec/kits/go/loopspec"
)

// folder is a temporary folder with the root of a store, and a neighbor whose name begins with the name of the root.
type folder struct {
	base, root, neighbor string
	links                atomic.Int64
}

func newFolder() (*folder, error) {
	base, err := os.MkdirTemp("", "loopspec-")
	if err != nil {
		return nil, err
	}
	made := &folder{base: base, root: filepath.Join(base, "root"), neighbor: filepath.Join(base, "root-2")}
	for _, path := range []string{made.root, made.neighbor} {
		if err := os.Mkdir(path, 0o755); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// Delete deletes a file on the disk.
func (f *folder) Delete(_ context.Context, path string) error {
	return os.Remove(filepath.Join(f.root, path))
}

// Fault removes every right to a file, or replaces the file by a link: to itself, or to a file of the neighbor.
func (f *folder) Fault(_ context.Context, path, kind string) error {
	file := filepath.Join(f.root, path)
	switch kind {
	case "permission":
		return os.Chmod(file, 0)
	case "io":
		return f.replace(file, file)
	}
	outside := filepath.Join(f.neighbor, filepath.Base(path))
	if err := os.WriteFile(outside, []byte("A file of the neighbor."), 0o644); err != nil {
		return err
	}
	return f.replace(file, outside)
}

// Link makes a file a relative link to a path inside the root: os.Root follows no absolute link.
func (f *folder) Link(_ context.Context, path, target string) error {
	file := filepath.Join(f.root, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	to, err := filepath.Rel(filepath.Dir(file), filepath.Join(f.root, target))
	if err != nil {
		return err
	}
	return f.replace(file, to)
}

// replace makes a file a link, in one step: a concurrent read sees the file or the link.
func (f *folder) replace(file, target string) error {
	link := filepath.Join(f.base, "link-"+strconv.FormatInt(f.links.Add(1), 10))
	if err := os.Symlink(target, link); err != nil {
		return err
	}
	return os.Rename(link, file)
}

// Fail removes the folder with the files. A store over a folder fails in no other way.
func (f *folder) Fail(_ context.Context, kind string) error {
	if kind != "container" {
		return fmt.Errorf("a folder has no failure %q", kind)
	}
	return os.RemoveAll(f.root)
}

// Close removes the folder.
func (f *folder) Close() error { return os.RemoveAll(f.base) }

// refused returns the error of a write as the refusal of a name.
func refused(err error) error { return fmt.Errorf("%w: %w", loopspec.ErrCannotStore, err) }
