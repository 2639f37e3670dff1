// Command eino-stores connects three backends with loopspec: eino's store in memory, eino's local files, and Go's
// os.Root.
//
// The package loopspec speaks loopspec's protocol over standard input and output. Each store has the calls that a user of
// the store makes.
package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"loopspec/kits/go/loopspec"
)

const (
	einoModule  = "github.com/cloudwego/eino"
	localModule = "github.com/cloudwego/eino-ext/adk/backend/local"
)

var (
	inMemory = []string{"confined", "directories", "edits", "line-ranges"}
	onDisk   = []string{"deletes", "directories", "edits", "fault-container", "fault-io"}
)

var adapters = map[string]loopspec.Adapter{
	"memory": {
		Name: "eino, memory", Version: versionOf(einoModule), Capabilities: inMemory,
		OpenBackend: opening(newMemory(translated)),
	},
	"memory-untranslated": {
		Name: "eino, memory, untranslated", Version: versionOf(einoModule), Capabilities: inMemory,
		OpenBackend: opening(newMemory(untranslated)),
	},
	"local": {
		Name: "eino, local files", Version: versionOf(localModule), Capabilities: disk("line-ranges"),
		OpenBackend: opening(newLocal(translated)),
	},
	"local-untranslated": {
		Name: "eino, local files, untranslated", Version: versionOf(localModule), Capabilities: disk("line-ranges"),
		OpenBackend: opening(newLocal(untranslated)),
	},
	"os-root": {
		Name: "Go's os.Root", Version: strings.TrimPrefix(runtime.Version(), "go"),
		Capabilities: disk("closes", "confined", "fault-outside", "links"), OpenBackend: opening(newRoot),
	},
}

// disk returns the capabilities of a store on the disk. A mode without any permission does not stop root.
func disk(more ...string) []string {
	if os.Geteuid() != 0 {
		more = append(more, "fault-permission")
	}
	return append(more, onDisk...)
}

func main() {
	if len(os.Args) == 2 {
		if adapter, ok := adapters[os.Args[1]]; ok {
			loopspec.Main(adapter)
			return
		}
	}
	fmt.Fprintf(os.Stderr, "usage: eino-stores %s\n", strings.Join(slices.Sorted(maps.Keys(adapters)), "|"))
	os.Exit(2)
}

// writable is a store that the files of a scene are written to.
type writable interface {
	loopspec.Store
	loopspec.WritingStore
}

// opening returns a function that opens a new store with the files of a scene, which are written in the order of their
// paths.
func opening[S writable](open func() (S, error)) func(context.Context, map[string][]byte) (loopspec.Store, error) {
	return func(ctx context.Context, files map[string][]byte) (loopspec.Store, error) {
		store, err := open()
		if err != nil {
			return nil, err
		}
		for _, path := range slices.Sorted(maps.Keys(files)) {
			if err := store.Write(ctx, path, files[path]); err != nil {
				if closer, ok := any(store).(io.Closer); ok {
					_ = closer.Close() // the reason why nothing was opened is err
				}
				return nil, err
			}
		}
		return store, nil
	}
}

// versionOf returns the version of a module that this program is built with.
func versionOf(module string) string {
	built, _ := debug.ReadBuildInfo()
	for _, one := range built.Deps {
		if one.Path == module {
			return strings.TrimPrefix(one.Version, "v")
		}
	}
	return "unknown"
}
