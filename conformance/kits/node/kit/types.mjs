/**
 * The values of the protocol as JSDoc types. `loopspec protocol` prints the schema of every message.
 *
 * @typedef {'system' | 'user' | 'assistant' | 'tool'} MessageRole
 * @typedef {'before agent' | 'before model' | 'around model' | 'after model' | 'around tool' | 'after agent'} HookKind
 * @typedef {'invokable' | 'streamable' | 'enhanced invokable' | 'enhanced streamable'} ToolKind
 *
 * @typedef {{ id: string, name: string, args?: string }} ToolCall `args` is text that need not be JSON.
 * @typedef {{ text?: string, url?: string }} Part
 * @typedef {{ name: string, description?: string, parameters?: Record<string, any> }} ToolInfo
 * @typedef {{ role: MessageRole, content?: string, parts?: Part[], toolCalls?: ToolCall[], toolCallId?: string,
 *   toolName?: string, extra?: Record<string, any> }} Message
 * @typedef {{ kind: string, code?: string, message?: string, cause?: WireError }} WireError
 *
 * @typedef {{ messages?: Message[], tools?: ToolInfo[], options?: Record<string, any>, streaming?: boolean,
 *   model?: string }} ModelRequest
 * @typedef {{ tool: string, callId?: string, args?: string, kind?: ToolKind, options?: Record<string, any>,
 *   resumed?: Resumed }} ToolRequest
 * @typedef {{ text?: string, parts?: Part[] }} ToolAnswer
 * @typedef {{ value: string, link?: string, measured?: boolean }} Posture
 * @typedef {{ state?: any, data?: any }} Resumed
 * @typedef {{ instruction?: string, tools?: string[], returnDirectly?: string[] }} Start
 *
 * @typedef {{ name: string, takesTools?: boolean, reports?: boolean, maxInputTokens?: number }} ModelSpec
 * @typedef {{ name: string, kinds?: ToolKind[], description?: string, knownAs?: string, nameless?: boolean,
 *   approval?: boolean }} ToolSpec
 * @typedef {{ approved: boolean, arguments?: string, reason?: string }} Decision The answer of a caller about a tool
 *   call that needs approval: `arguments` replace those of the model.
 * @typedef {{ handler: string, name: string, hooks?: { hook: HookKind }[] }} HandlerSpec
 * @typedef {{ maxRetries: number, codes?: string[], rejects?: string[], delays?: boolean }} RetrySpec
 * @typedef {{ models?: ModelSpec[], asks?: boolean, chooses?: boolean, limit?: number }} FailoverSpec
 * @typedef {{ name: string, model: ModelSpec | null, description?: string, instruction?: string, tools?: ToolSpec[],
 *   handlers?: HandlerSpec[], maxIterations?: number, additionalTools?: ToolSpec[], additionalModels?: ModelSpec[],
 *   makeInput?: object, returnDirectly?: Record<string, boolean>, outputKey?: string, sequential?: boolean,
 *   retry?: RetrySpec, failover?: FailoverSpec, callbacks?: boolean }} AgentSpec
 *
 * @typedef {{ id: string, streaming: boolean, session: Record<string, any>, messages: Message[],
 *   conversation: string }} Run One run of an
 *   agent: `session` are the session values that the run starts with.
 *
 * @typedef {{ text?: string, base64?: string }} FileData
 * @typedef {{ path: string, offset: number, limit: number }} ReadRequest `limit` lines from line `offset` on, counted
 *   from 1; a `limit` of 0 stands for all lines.
 * @typedef {string | Uint8Array | null | undefined} Content
 * @typedef {{ read(request: ReadRequest): Content | Promise<Content>, write?(path: string, content: Buffer): unknown,
 *   delete?(path: string): unknown, fault?(path: string, kind: 'permission' | 'io' | 'outside'): unknown,
 *   link?(path: string, target: string): unknown,
 *   fail?(kind: 'gone' | 'timeout' | 'refused' | 'container'): unknown, close?(): unknown }} Store Each method may be
 *   asynchronous.
 * @typedef {{ name: string, version?: string, capabilities?: string[],
 *   open(files: Map<string, Buffer>): Store | Promise<Store> }} Backend
 */

export {};
