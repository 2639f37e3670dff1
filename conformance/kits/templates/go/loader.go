package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
)

const name, version = "my loader", "0.1.0"

// section is a file as a model sees it.
type section struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// load is a PLACEHOLDER: call your own loader here, and delete the code below. It follows some imports, without limits.
//
// files are the configured paths, maxBytes is 0 for no limit. read reads a whole file from the harness; its errors are
// Go's own (fs.ErrNotExist, fs.ErrPermission, syscall.EISDIR …), sometimes inside other errors: use errors.Is. Call
// warn for each file that is left out. Return the files in the order in which a model sees them, and keep no state.
func load(
	files []string, maxBytes int, read func(path string) (string, error), warn func(path, why string),
) ([]section, error) {
	sections, seen := []section{}, map[string]bool{}
	var add func(file string) error
	add = func(file string) error {
		if seen[file] {
			return nil
		}
		seen[file] = true
		text, err := read(file)
		if errors.Is(err, fs.ErrNotExist) {
			warn(file, "it does not exist")
			return nil
		}
		if err != nil {
			return fmt.Errorf("while loading %q: %w", file, err)
		}
		if text != "" {
			sections = append(sections, section{file, text})
		}
		for _, found := range mention.FindAllStringSubmatch(text, -1) {
			if err := add(path.Join(path.Dir(file), found[1])); err != nil {
				return err
			}
		}
		return nil
	}
	for _, file := range files {
		if err := add(file); err != nil {
			return nil, err
		}
	}
	return sections, nil
}

var mention = regexp.MustCompile(`@([\w./-]+\.md)`)
