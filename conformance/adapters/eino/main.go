// Command eino-adapter lets loopspec judge eino: its AgentsMD middleware and its ChatModelAgent.
//
// It speaks loopspec's protocol over standard input and output, builds eino's own objects out of proxies, and
// forwards. What it has to say for people goes to standard error.
package main

import (
	"io"
	"log"
	"os"
	"runtime/debug"
	"syscall"
)

func main() {
	debug.SetGCPercent(400) // every case leaves a little garbage: to collect it less often saves a fifth of the time
	server := newServer(os.Stdout)
	// eino's own log is handed to the harness, which judges where warnings go that nobody has asked for.
	log.SetFlags(0)
	log.SetOutput(logLines{server})
	if err := server.peer.read(input(), server); err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
}

// input is standard input, read by Go's poller where that is possible: a blocked read would cost a thread each time.
func input() io.Reader {
	if err := syscall.SetNonblock(0, true); err != nil {
		return os.Stdin
	}
	return os.NewFile(0, "stdin")
}
