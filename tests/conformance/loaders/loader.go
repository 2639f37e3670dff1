package main

import (
	"errors"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

const name, version = "a loader in Go", "1"

var (
	mention = regexp.MustCompile(`@([a-zA-Z0-9_.~/][a-zA-Z0-9_.~/\-]*)`)
	ending  = regexp.MustCompile(`\.(md|txt|mdx|yaml|yml|json|toml)$`)
)

type section struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

type loading struct {
	seen        map[string]bool
	limit, size int
	read        func(string) (string, error)
	warn        func(path, why string)
}

func load(
	files []string, maxBytes int, read func(path string) (string, error), warn func(path, why string),
) ([]section, error) {
	l := loading{map[string]bool{}, maxBytes, 0, read, warn}
	sections := []section{}
	for _, file := range files {
		file = path.Clean(file)
		if l.seen[file] {
			continue
		}
		if l.full() {
			warn(file, "beyond the limit")
			continue
		}
		group, err := l.add(file, nil)
		if err != nil {
			return nil, err
		}
		if len(sections) > 0 && l.full() {
			warn(file, "beyond the limit")
		} else {
			sections = append(sections, group...)
		}
	}
	return sections, nil
}

func (l *loading) full() bool { return l.limit > 0 && l.size > l.limit }

func (l *loading) add(file string, above []string) ([]section, error) {
	l.seen[file] = true
	text, err := l.read(file)
	if errors.Is(err, fs.ErrNotExist) {
		l.warn(file, "it does not exist")
		return nil, nil
	}
	if err != nil || text == "" {
		return nil, err
	}
	l.size += len(text)
	sections := []section{{file, text}}
	chain := append(append([]string{}, above...), file)
	for _, found := range mention.FindAllStringSubmatch(text, -1) {
		imported := found[1]
		if !strings.Contains(imported, "/") && !ending.MatchString(imported) {
			continue
		}
		if !path.IsAbs(imported) {
			imported = path.Dir(file) + "/" + imported
		}
		imported = path.Clean(imported)
		switch {
		case l.seen[imported]:
			for _, one := range chain {
				if one == imported {
					l.warn(imported, "an import cycle")
				}
			}
		case len(chain) > 5:
			l.warn(imported, "too deep")
		case l.full():
			l.warn(imported, "beyond the limit")
		default:
			below, err := l.add(imported, chain)
			if err != nil {
				return nil, err
			}
			sections = append(sections, below...)
		}
	}
	return sections, nil
}
