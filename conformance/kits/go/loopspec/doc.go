// Package loopspec connects an implementation of an agent loop with the conformance kit loopspec, over standard input
// and output.
//
// The package is a folder to copy. Only the standard library is imported. An author fills in an [AgentAdapter]: the two
// conversions of a message, how an agent is built from doubles, and how an agent is run:
//
//	type adapter struct{}
//
//	func (adapter) ToWire(m mine.Message) []loopspec.Message
//	func (adapter) FromWire(m loopspec.Message) mine.Message
//	func (adapter) Build(ctx context.Context, parts *loopspec.Parts[mine.Message]) (*mine.Agent, error)
//	func (adapter) Run(ctx context.Context, agent *mine.Agent, run *loopspec.Run[mine.Message]) error
//
//	func main() {
//		loopspec.Main(loopspec.Adapter{
//			Name: "mine", Version: "1.0.0", Capabilities: capabilities,
//			Agents: loopspec.NewAgents[mine.Message, *mine.Agent](adapter{}),
//		})
//	}
//
// The doubles belong to the harness: [ModelDouble], [ToolDouble] and [HookDouble] forward every call to the harness and
// return the answer of the harness. The adapter passes a double what the implementation passes, and nothing else: what
// the implementation does not report to a hook, the adapter does not report to the harness.
//
// A double finds its run in the context of the call. The implementation must pass its context on, or the adapter must.
//
// A scripted error of a double is a Go error, a [*ScriptedError] or an error of a file. A scripted crash is a panic. An
// implementation may wrap either: the kit finds both among the causes of the error that ends a run. The functions
// ErrorOf and KindOf of an [Adapter] identify errors of the implementation.
//
// The role backend needs no [AgentAdapter]: OpenBackend of an [Adapter] opens a [Store]. Requests of other roles are
// served by the Methods of an [Adapter].
package loopspec
