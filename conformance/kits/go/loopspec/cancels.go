package loopspec

import (
	"encoding/json"
	"time"
)

// A CancelRequest is a request to cancel a run, which may not have begun yet. Modes names the safe points "after model"
// and "after tools"; without a mode, the run is cancelled immediately.
type CancelRequest struct {
	Run       string
	Modes     []string
	Timeout   *time.Duration
	Recursive bool
}

// A Canceller cancels runs from outside.
type Canceller interface {
	// Cancel makes a request and returns a function that returns a handle of the request, and whether the request
	// contributed to the end of the run. Cancel must not block: a request that blocks belongs into the function.
	Cancel(in *Case, request CancelRequest) func() (handle any, contributed bool)

	// Wait waits for the end of the run and returns "cancelled", "ended" or "timed out".
	Wait(handle any) string
}

func (s *Server) cancel(in *Case, message envelope) {
	var sent struct {
		Run       string   `json:"run"`
		Modes     []string `json:"modes"`
		Timeout   *float64 `json:"timeout"`
		Recursive bool     `json:"recursive"`
	}
	if err := json.Unmarshal(message.Params, &sent); err != nil {
		s.peer.fault("%s: %v", message.Method, err)
		return
	}
	request := CancelRequest{Run: sent.Run, Modes: sent.Modes, Recursive: sent.Recursive}
	if sent.Timeout != nil {
		timeout := time.Duration(*sent.Timeout * float64(time.Second))
		request.Timeout = &timeout
	}
	begin := s.adapter.Canceller.Cancel(in, request)
	go func() {
		handle, contributed := begin()
		s.peer.reply(message.ID, struct {
			Handle      string `json:"handle"`
			Contributed bool   `json:"contributed"`
		}{in.Keep(handle), contributed})
	}()
}

func (s *Server) waitForCancel(in *Case, params json.RawMessage) (any, error) {
	var sent struct {
		Handle string `json:"handle"`
	}
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, err
	}
	handle := in.Kept(sent.Handle)
	if handle == nil || s.adapter.Canceller == nil {
		return nil, unknownHandle(sent.Handle)
	}
	ended := make(chan string, 1)
	go func() { ended <- s.adapter.Canceller.Wait(handle) }()
	select {
	case outcome := <-ended:
		return map[string]string{"value": outcome}, nil
	case <-in.over:
		return nil, ErrCaseOver
	}
}
