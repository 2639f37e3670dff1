package loopspec

import (
	"context"
	"errors"
)

// A Store is a backend under test: the files of one scene. Reads may be concurrent. A missing file is an error for
// which errors.Is(err, fs.ErrNotExist) holds; any other error is another failure. Nil is the content of an empty file.
// A panic of a store is an error of the store.
//
// The other methods of a store are optional: those of [WritingStore], [DeletingStore], [FaultyStore], [LinkingStore],
// [FailingStore] and io.Closer. Each belongs to capabilities, which the adapter declares.
type Store interface {
	Read(ctx context.Context, request ReadRequest) ([]byte, error)
}

// A ReadRequest names a file, and with the capability line-ranges the lines to read.
type ReadRequest struct {
	Path   string
	Offset int // the first line, from 1; a number below 1 means 1
	Limit  int // the number of lines; 0 means all following lines
}

// A WritingStore creates and changes files: the capability edits. An error for which errors.Is(err, ErrCannotStore)
// holds refuses the name.
type WritingStore interface {
	Write(ctx context.Context, path string, content []byte) error
}

// A DeletingStore deletes files: the capability deletes.
type DeletingStore interface {
	Delete(ctx context.Context, path string) error
}

// A FaultyStore makes one file unreadable: the capabilities fault-permission, fault-io and fault-outside. Kind is
// "permission", "io" or "outside".
type FaultyStore interface {
	Fault(ctx context.Context, path, kind string) error
}

// A LinkingStore makes a file a link to a path inside the root: the capability links.
type LinkingStore interface {
	Link(ctx context.Context, path, target string) error
}

// A FailingStore fails as a whole from now on: the capabilities fault-gone, fault-timeout, fault-refused and
// fault-container. Kind is "gone", "timeout", "refused" or "container".
type FailingStore interface {
	Fail(ctx context.Context, kind string) error
}

// ErrCannotStore says that a store cannot store a file under a name. OpenBackend and Write of a store return an error
// that wraps it. A store that changes a name instead fails.
var ErrCannotStore = errors.New("the store cannot store a file under this name")
