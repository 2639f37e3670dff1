package main

import (
	"context"
	"time"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"loopspec/kits/go/loopspec"
)

func retryOf[M adk.MessageType](double *loopspec.RetryDouble[M]) *adk.TypedModelRetryConfig[M] {
	if double == nil {
		return nil
	}
	built := &adk.TypedModelRetryConfig[M]{MaxRetries: double.Spec.MaxRetries}
	if double.Spec.HasIsRetryable() {
		built.IsRetryAble = double.IsRetryable
	}
	if double.Spec.HasIsAccepted() {
		built.ShouldRetry = func(ctx context.Context, made *adk.TypedRetryContext[M]) *adk.TypedRetryDecision[M] {
			attempt := loopspec.Attempt[M]{Number: made.RetryAttempt, Messages: made.InputMessages, Err: made.Err}
			if !isNothing(made.OutputMessage) {
				attempt.Answer = &made.OutputMessage
			}
			accepted := double.IsAccepted(ctx, attempt)
			if accepted == nil {
				return nil // no opinion
			}
			return &adk.TypedRetryDecision[M]{Retry: !*accepted}
		}
	}
	if double.Spec.HasDelay {
		built.BackoffFunc = func(ctx context.Context, retry int) time.Duration { return double.Delay(ctx, retry) }
	}
	return built
}

func failoverOf[M adk.MessageType](double *loopspec.FailoverDouble[M]) *adk.ModelFailoverConfig[M] {
	if double == nil {
		return nil
	}
	built := &adk.ModelFailoverConfig[M]{}
	if double.Spec.Limit != nil {
		built.MaxRetries = uint(*double.Spec.Limit)
	}
	models := map[string]model.BaseModel[M]{}
	for _, spec := range double.Spec.Models {
		models[spec.Name] = modelOf(loopspec.NewModel[M](adapter[M]{}, spec))
	}
	if double.Spec.HasShouldFailover {
		built.ShouldFailover = func(ctx context.Context, _ M, err error) bool { return double.ShouldFailover(ctx, err) }
	}
	if double.Spec.HasNextModel {
		built.GetFailoverModel = func(ctx context.Context, made *adk.FailoverContext[M]) (model.BaseModel[M], []M, error) {
			choice, err := double.NextModel(ctx, int(made.FailoverAttempt), made.InputMessages, made.LastErr)
			if err != nil || choice == nil {
				return nil, nil, err
			}
			if choice.Model == "" {
				return nil, choice.Messages, nil
			}
			return models[choice.Model], choice.Messages, nil
		}
	}
	return built
}
