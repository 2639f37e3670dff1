package main

// JSON-RPC 2.0 on standard input and output, one message per line. Nothing here concerns loaders.

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"sync"
	"sync/atomic"
)

const protocol = 3 // the version that this adapter speaks

type object map[string]any

type message struct {
	ID, Method            string
	Params, Result, Error json.RawMessage
}

var (
	calls   atomic.Int64
	waiting sync.Map // from the id of a request to the channel for its answer
	writing sync.Mutex
)

// listen takes messages until the input ends. It does not wait while a request is served.
func listen(serve func(message)) {
	for in := json.NewDecoder(os.Stdin); ; {
		var m message
		if err := in.Decode(&m); err == io.EOF || m.Method == "exit" {
			return
		} else if err != nil {
			log.Fatal(err)
		}
		if answer, ok := waiting.LoadAndDelete(m.ID); ok {
			answer.(chan message) <- m
		} else if m.ID != "" { // a message without an id is a notification, which this adapter ignores
			go serve(m)
		}
	}
}

// send writes a message as one line.
func send(m object) {
	m["jsonrpc"] = "2.0"
	writing.Lock()
	defer writing.Unlock()
	if err := json.NewEncoder(os.Stdout).Encode(m); err != nil {
		log.Fatal(err)
	}
}

// call sends a request, and waits for its answer.
func call(method string, params object, result any) {
	id, answer := fmt.Sprint("a", calls.Add(1)), make(chan message, 1)
	waiting.Store(id, answer)
	send(object{"id": id, "method": method, "params": params})
	m := <-answer
	if m.Error != nil {
		log.Fatalf("%s: %s", method, m.Error) // a program is broken: failures come as results
	}
	parse(m.Result, result)
}

func parse(data json.RawMessage, into any) {
	if err := json.Unmarshal(data, into); data != nil && err != nil {
		log.Fatalf("%s: %v", data, err)
	}
}
