package loopspec

import (
	"encoding/json"
	"reflect"
	"runtime/debug"
)

// Messages converts messages between an implementation and the protocol. M is the message of the implementation.
type Messages[M any] interface {
	// ToWire returns a message as the protocol has it: one or more messages.
	ToWire(message M) []Message

	// FromWire returns a message of the protocol as the implementation has it.
	FromWire(message Message) M
}

// Chunks is implemented by an AgentAdapter whose implementation has another form for the chunks of a streamed message.
type Chunks[M any] interface {
	FromWireChunk(message Message) M
}

// conversation is a list of messages of the implementation, and the same list as the protocol has it. A message of the
// implementation may be several messages of the protocol.
type conversation[M any] struct {
	convert Messages[M]
	theirs  []M
	sent    []Message
	owner   []int // of each message of the protocol: the index of the implementation's message
	first   []int // of each message of the implementation: the index of its first message of the protocol
}

func conversationOf[M any](convert Messages[M], messages []M) *conversation[M] {
	c := &conversation[M]{convert: convert, theirs: messages, sent: []Message{}}
	for at, one := range messages {
		c.first = append(c.first, len(c.sent))
		for _, part := range toWire(convert, one) {
			c.sent = append(c.sent, part)
			c.owner = append(c.owner, at)
		}
	}
	return c
}

// wanted is a message that a hook returns: the index of a message that stays, or -1 and a new message.
type wanted struct {
	index   int
	message Message
}

// read reads the messages of an answer: a number is the index of a message that stays.
func (c *conversation[M]) read(answer []json.RawMessage) (list []wanted, err error) {
	for _, one := range answer {
		var at int
		if json.Unmarshal(one, &at) == nil && at >= 0 && at < len(c.sent) {
			list = append(list, wanted{index: at})
			continue
		}
		sent := wanted{index: -1}
		if failed := json.Unmarshal(one, &sent.message); failed != nil {
			err = failed
		}
		list = append(list, sent)
	}
	return list, err
}

// recognized finds the messages of a request that equal messages of the conversation.
func (c *conversation[M]) recognized(messages []Message) []wanted {
	list := make([]wanted, len(messages))
	for at, one := range messages {
		list[at] = wanted{index: -1, message: one}
		again := toWire(c.convert, fromWire(c.convert, one))
		for index, original := range c.sent {
			if len(again) == 1 && reflect.DeepEqual(again[0], original) {
				list[at].index = index
				break
			}
		}
	}
	return list
}

// restored is the list in the implementation's messages. A message that stays as a whole is the same object.
func (c *conversation[M]) restored(list []wanted) []M {
	restored := make([]M, 0, len(list))
	for at := 0; at < len(list); {
		index := list[at].index
		if index < 0 {
			restored = append(restored, fromWire(c.convert, list[at].message))
			at++
			continue
		}
		owner := c.owner[index]
		if parts := c.partsAt(list[at:], index, owner); parts > 0 {
			restored = append(restored, c.theirs[owner])
			at += parts
			continue
		}
		restored = append(restored, fromWire(c.convert, c.sent[index]))
		at++
	}
	return restored
}

// partsAt is the number of messages at the start of a list that are all parts of one message of the implementation,
// or 0.
func (c *conversation[M]) partsAt(list []wanted, index, owner int) int {
	if index != c.first[owner] {
		return 0
	}
	parts := 0
	for index+parts < len(c.owner) && c.owner[index+parts] == owner {
		if parts >= len(list) || list[parts].index != index+parts {
			return 0
		}
		parts++
	}
	return parts
}

func toWire[M any](convert Messages[M], message M) []Message {
	defer blamed("ToWire")
	return convert.ToWire(message)
}

func fromWire[M any](convert Messages[M], message Message) M {
	defer blamed("FromWire")
	return convert.FromWire(message)
}

// blamed reports a crash of a conversion, which is a fault of the adapter: an implementation may recover from a crash.
func blamed(method string) {
	if panicked := recover(); panicked != nil {
		lost.in.peer.fault("%s: %v\n%s", method, panicked, debug.Stack())
		panic(panicked)
	}
}

func allFromWire[M any](convert Messages[M], messages []Message) []M {
	built := make([]M, len(messages))
	for at, one := range messages {
		built[at] = fromWire(convert, one)
	}
	return built
}

func chunkFrom[M any](convert Messages[M], message Message) M {
	if streamed, ok := convert.(Chunks[M]); ok {
		defer blamed("FromWireChunk")
		return streamed.FromWireChunk(message)
	}
	return fromWire(convert, message)
}

// joined is several messages of the protocol as one answer.
func joined(messages []Message) *Message {
	if len(messages) == 0 {
		return &Message{Role: "assistant"}
	}
	return &messages[0]
}
