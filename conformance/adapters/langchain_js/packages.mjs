/** LangChain's packages, from the folder in which they are installed. */

import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = process.env.LANGCHAIN_JS_FOLDER ?? import.meta.dirname; // where node_modules is
const packed = createRequire(resolve(folder, 'package.json'));
const imported = (name) => import(pathToFileURL(packed.resolve(name)));

export const { version } = packed('langchain/package.json');
export const { createAgent, createMiddleware, humanInTheLoopMiddleware, modelCallLimitMiddleware, tool } =
  await imported('langchain');
export const {
  Command,
  getWriter,
  GraphInterrupt,
  GraphRecursionError,
  InMemoryStore,
  interrupt,
  InvalidUpdateError,
  MemorySaver,
  REMOVE_ALL_MESSAGES,
} = await imported('@langchain/langgraph');
export const { AIMessage, AIMessageChunk, HumanMessage, RemoveMessage, SystemMessage, ToolMessage } =
  await imported('@langchain/core/messages');
export const { BaseCallbackHandler } = await imported('@langchain/core/callbacks/base');
export const { BaseChatModel } = await imported('@langchain/core/language_models/chat_models');
export const { ChatGenerationChunk } = await imported('@langchain/core/outputs');
export const { convertToOpenAITool } = await imported('@langchain/core/utils/function_calling');
