// Command eino-adapter connects eino with loopspec: its AgentsMD middleware and its ChatModelAgent.
//
// It speaks loopspec's protocol over standard input and output, and builds eino's own objects from proxies that call
// the harness. Messages for people go to standard error.
package main

import (
	"io"
	"log"
	"os"
	"runtime/debug"
	"syscall"
)

func main() {
	debug.SetGCPercent(400) // every case leaves little garbage: collecting it less often saves a fifth of the time
	server := newServer(os.Stdout)
	// eino's own log goes to the harness, which judges where warnings go without a callback.
	log.SetFlags(0)
	log.SetOutput(logLines{server})
	if err := server.peer.read(input(), server); err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
}

// input is standard input, read through Go's poller where possible: a blocking read would cost a thread each time.
func input() io.Reader {
	if err := syscall.SetNonblock(0, true); err != nil {
		return os.Stdin
	}
	return os.NewFile(0, "stdin")
}
