package main

import (
	"context"
	"time"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
)

type aboutError struct {
	fromAdapter
	Agent string     `json:"agent"`
	Error *wireError `json:"error"`
}

type decided struct {
	reply
	Yes *bool `json:"yes"`
}

type attempt struct {
	fromAdapter
	Agent    string     `json:"agent"`
	Attempt  int        `json:"attempt"`
	Messages []message  `json:"messages,omitempty"`
	Answer   *message   `json:"answer,omitempty"`
	Error    *wireError `json:"error,omitempty"`
}

type retryNumber struct {
	fromAdapter
	Agent string `json:"agent"`
	Retry int    `json:"retry"`
}

type seconds struct {
	reply
	Seconds float64 `json:"seconds"`
}

type chooseModel struct {
	fromAdapter
	Agent    string     `json:"agent"`
	Error    *wireError `json:"error"`
	Attempt  *int       `json:"attempt,omitempty"`
	Messages *[]message `json:"messages,omitempty"`
}

type chosenReply struct {
	reply
	Chosen *chosen `json:"chosen"`
}

func retryOf[M adk.MessageType](spec *agentSpec) *adk.TypedModelRetryConfig[M] {
	if spec.Retry == nil {
		return nil
	}
	name, built := spec.Name, &adk.TypedModelRetryConfig[M]{MaxRetries: spec.Retry.MaxRetries}
	if spec.Retry.AsksRetryable {
		built.IsRetryAble = func(ctx context.Context, err error) bool {
			return yes(ctx, "retry/retryable", aboutError{from(ctx), name, told(err)})
		}
	}
	if spec.Retry.AsksAccepted {
		built.ShouldRetry = func(ctx context.Context, made *adk.TypedRetryContext[M]) *adk.TypedRetryDecision[M] {
			asked := attempt{from(ctx), name, made.RetryAttempt, wires(made.InputMessages), nil, told(made.Err)}
			if !isNothing(made.OutputMessage) {
				said := wire(made.OutputMessage)
				asked.Answer = &said
			}
			var got decided
			if err := ask(ctx, "retry/accepted", asked, &got, nobody{}); err != nil || got.Yes == nil {
				return nil // no opinion
			}
			return &adk.TypedRetryDecision[M]{Retry: !*got.Yes}
		}
	}
	if spec.Retry.AsksDelay {
		built.BackoffFunc = func(ctx context.Context, retry int) time.Duration {
			var got seconds
			_ = ask(ctx, "retry/delay", retryNumber{from(ctx), name, retry}, &got, nobody{})
			return time.Duration(got.Seconds * float64(time.Second))
		}
	}
	return built
}

func yes(ctx context.Context, method string, asked any) bool {
	var got decided
	err := ask(ctx, method, asked, &got, nobody{})
	return err == nil && got.Yes != nil && *got.Yes
}

func failoverOf[M adk.MessageType](spec *agentSpec) *adk.ModelFailoverConfig[M] {
	if spec.Failover == nil {
		return nil
	}
	name, built := spec.Name, &adk.ModelFailoverConfig[M]{}
	if spec.Failover.Limit != nil {
		built.MaxRetries = uint(*spec.Failover.Limit)
	}
	models := map[string]model.BaseModel[M]{}
	for at := range spec.Failover.Models {
		models[spec.Failover.Models[at].Name] = modelOf[M](&spec.Failover.Models[at])
	}
	if spec.Failover.AsksWhether {
		built.ShouldFailover = func(ctx context.Context, _ M, err error) bool {
			return yes(ctx, "failover/should", aboutError{from(ctx), name, told(err)})
		}
	}
	if spec.Failover.AsksWhich {
		built.GetFailoverModel = func(ctx context.Context, made *adk.FailoverContext[M]) (model.BaseModel[M], []M, error) {
			number, input := int(made.FailoverAttempt), wires(made.InputMessages)
			var got chosenReply
			asked := chooseModel{from(ctx), name, told(made.LastErr), &number, &input}
			if err := ask(ctx, "failover/model", asked, &got, nobody{}); err != nil {
				return nil, nil, err
			}
			if got.Chosen == nil {
				return nil, nil, nil
			}
			var messages []M
			if got.Chosen.Messages != nil {
				messages = einos[M](*got.Chosen.Messages)
			}
			if got.Chosen.Model == nil {
				return nil, messages, nil
			}
			return models[*got.Chosen.Model], messages, nil
		}
	}
	return built
}
