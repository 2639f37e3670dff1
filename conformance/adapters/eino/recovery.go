package main

import (
	"context"
	"time"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
)

type failedCall struct {
	adapterMessage
	Agent string     `json:"agent"`
	Error *wireError `json:"error"`
}

type decisionReply struct {
	reply
	Yes *bool `json:"yes"`
}

type attempt struct {
	adapterMessage
	Agent    string     `json:"agent"`
	Attempt  int        `json:"attempt"`
	Messages []message  `json:"messages,omitempty"`
	Answer   *message   `json:"answer,omitempty"`
	Error    *wireError `json:"error,omitempty"`
}

type retryDelay struct {
	adapterMessage
	Agent string `json:"agent"`
	Retry int    `json:"retry"`
}

type delayReply struct {
	reply
	Seconds float64 `json:"seconds"`
}

type chooseModel struct {
	adapterMessage
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
	if spec.Retry.HasIsRetryable {
		built.IsRetryAble = func(ctx context.Context, err error) bool {
			return yes(ctx, "retry/isRetryable", failedCall{from(ctx), name, describe(err)})
		}
	}
	if spec.Retry.HasIsAccepted {
		built.ShouldRetry = func(ctx context.Context, made *adk.TypedRetryContext[M]) *adk.TypedRetryDecision[M] {
			asked := attempt{from(ctx), name, made.RetryAttempt, wires(made.InputMessages), nil, describe(made.Err)}
			if !isNothing(made.OutputMessage) {
				sent := wire(made.OutputMessage)
				asked.Answer = &sent
			}
			var got decisionReply
			if err := ask(ctx, "retry/isAccepted", asked, &got, noInside{}); err != nil || got.Yes == nil {
				return nil // no opinion
			}
			return &adk.TypedRetryDecision[M]{Retry: !*got.Yes}
		}
	}
	if spec.Retry.HasDelay {
		built.BackoffFunc = func(ctx context.Context, retry int) time.Duration {
			var got delayReply
			_ = ask(ctx, "retry/delay", retryDelay{from(ctx), name, retry}, &got, noInside{})
			return time.Duration(got.Seconds * float64(time.Second))
		}
	}
	return built
}

func yes(ctx context.Context, method string, asked any) bool {
	var got decisionReply
	err := ask(ctx, method, asked, &got, noInside{})
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
	if spec.Failover.HasShouldFailover {
		built.ShouldFailover = func(ctx context.Context, _ M, err error) bool {
			return yes(ctx, "failover/shouldFailover", failedCall{from(ctx), name, describe(err)})
		}
	}
	if spec.Failover.HasNextModel {
		built.GetFailoverModel = func(ctx context.Context, made *adk.FailoverContext[M]) (model.BaseModel[M], []M, error) {
			number, input := int(made.FailoverAttempt), wires(made.InputMessages)
			var got chosenReply
			asked := chooseModel{from(ctx), name, describe(made.LastErr), &number, &input}
			if err := ask(ctx, "failover/nextModel", asked, &got, noInside{}); err != nil {
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
