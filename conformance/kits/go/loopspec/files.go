package loopspec

import "context"

type readFile struct {
	origin
	Request fileRequest `json:"request"`
}

type fileReply struct {
	reply
	Text    *string `json:"text"`
	Base64  []byte  `json:"base64"`
	Wrapped bool    `json:"wrapped"`
	raised  *Error
}

// base takes the error out: only this reply knows whether the error is wrapped, and content may come with the error.
func (f *fileReply) base() *reply {
	f.raised, f.reply.Error = f.reply.Error, nil
	return &f.reply
}

// ReadFile reads a file of the harness's backend: the lines from an offset, at most limit lines; 0 means all. Errors
// are those of package fs and of system calls, sometimes inside other errors. The content is nil if the backend returns
// no content object; content may come with an error.
func ReadFile(ctx context.Context, path string, offset, limit int) (content *string, err error) {
	var got fileReply
	if err := ask(ctx, "files/read", readFile{from(ctx), fileRequest{path, offset, limit}}, &got, noInside{}); err != nil {
		return nil, err
	}
	content = got.Text
	if got.Base64 != nil {
		text := string(got.Base64)
		content = &text
	}
	return content, raised(got.raised, got.Wrapped)
}
