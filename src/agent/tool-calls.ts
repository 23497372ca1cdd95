import type { UsedTool } from '../contract/agent.ts'
import type { ToolCall } from '../contract/chat-model.ts'
import type { Document } from '../contract/document.ts'
import type { CallContext, Tool } from '../contract/tool.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { isObject, type JsonObject, parseJson } from '../kit/json.ts'
import { readToolInput } from './tool-input.ts'
import { throwIfCancelled } from './model-turn.ts'

/** A call that has been answered, as the model is told of it and as the client is. */
export type ToolCallResult = {
  call: ToolCall
  output: string
  failed: boolean
  used: UsedTool
  documents: Document[]
}

/** The tools of one agent by name: two of one name are told apart by a number. */
export function toolsByName(tools: readonly Tool[]): Map<string, Tool> {
  const named = new Map<string, Tool>()
  for (const tool of tools) {
    let name = tool.name
    for (let number = 2; named.has(name); number++) name = `${tool.name.slice(0, 60)}_${number}`
    named.set(name, name === tool.name ? tool : { ...tool, name, call: (...called) => tool.call(...called) })
  }
  return named
}

/**
 * Does what a model asked for. Whatever is wrong with the call, or goes wrong in it, is an answer to the model.
 *
 * @throws SluiceError `cancelled` once the signal is aborted; what is our own mistake
 */
export async function runToolCall(
  call: ToolCall,
  tools: ReadonlyMap<string, Tool>,
  place: CallContext,
  signal: AbortSignal,
): Promise<ToolCallResult> {
  const tool = tools.get(call.name)
  if (!tool) return refusedCall(call, `${call.name} is not a valid tool, try another one.`)
  let input: JsonObject
  try {
    input = readToolInput(call.input, tool.parameters)
  } catch (error) {
    return refusedCall(call, reasonOf(error))
  }
  try {
    const { output, failed = false, documents = [] } = await tool.call(input, signal, place)
    const used: UsedTool = { tool: tool.name, toolInput: input, toolOutput: output }
    return { call, output, failed, documents, used: failed ? { ...used, error: output } : used }
  } catch (error) {
    throwIfCancelled(signal)
    if (error instanceof SluiceError)
      return { ...refusedCall(call, error.message), used: brokenUse(call, input, error.message) }
    throw error
  }
}

/** A call that was not made, and what the model is told instead. */
export function refusedCall(call: ToolCall, reason: string): ToolCallResult {
  return {
    call,
    output: reason,
    failed: true,
    documents: [],
    used: brokenUse(call, parseCallInput(call), reason),
  }
}

/** What a model wrote, as far as it is an object. */
export function parseCallInput(call: ToolCall): JsonObject {
  const read = parseJson(call.input)
  return isObject(read) ? (read as JsonObject) : {}
}

const brokenUse = (call: ToolCall, toolInput: JsonObject, error: string): UsedTool => ({
  tool: call.name,
  toolInput,
  toolOutput: error,
  error,
})
