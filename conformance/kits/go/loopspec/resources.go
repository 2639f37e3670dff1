package loopspec

import (
	"errors"
	"os"
	"runtime"
	"runtime/pprof"
	"syscall"
	"time"
)

// resources is what a process has open. A goroutine is a task. A file that only a finalizer will close is open.
type resources struct {
	Descriptors int `json:"descriptors"`
	Threads     int `json:"threads"`
	Tasks       int `json:"tasks"`
}

func countResources() (resources, error) {
	descriptors, err := openDescriptors()
	if err != nil {
		return resources{}, err
	}
	threads, err := entries("/proc/self/task")
	if err != nil { // not on Linux
		threads = pprof.Lookup("threadcreate").Count()
	}
	return resources{descriptors, threads, goroutines()}, nil
}

// openDescriptors counts descriptors; all that the process can have if it cannot open the folder that lists them.
func openDescriptors() (int, error) {
	found, err := entries("/dev/fd")
	var limit syscall.Rlimit
	if errors.Is(err, syscall.EMFILE) && syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil {
		return int(limit.Cur), nil
	}
	return found, err
}

// goroutines returns the lowest of several counts: the goroutine of a request ends shortly after its answer.
func goroutines() int {
	least := runtime.NumGoroutine()
	for sample := 0; sample < 10; sample++ {
		time.Sleep(100 * time.Microsecond)
		least = min(least, runtime.NumGoroutine())
	}
	return least
}

func entries(path string) (int, error) {
	folder, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	return len(names), err
}
