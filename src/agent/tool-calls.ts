import type { UsedTool } from '../contract/agent.ts'
import type { ToolCall } from '../contract/chat-model.ts'
import type { Document } from '../contract/document.ts'
import type { RunSpan } from '../contract/run-span.ts'
import type { Tool, ToolCallContext, Toolset } from '../contract/tool.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { isObject, type JsonObject, parseJson } from '../kit/json.ts'
import { uniqueToolName } from '../tools/unique-tool-name.ts'
import { throwIfCancelled } from './model-turn.ts'
import { nodeOfPart, notePartNode } from './part-nodes.ts'
import { type BegunSpan, recordedStep, runSpan } from './run-spans.ts'
import { readToolInput } from './tool-input.ts'

export type ToolCallResult = {
  call: ToolCall
  /** The text for the model. */
  output: string
  failed: boolean
  /** The call as clients show it. */
  used: UsedTool
  documents: Document[]
}

type ToolArguments = Parameters<Tool['call']>

/** The tools of toolsets, each with the node of its toolset. */
export async function toolsOfSets(toolsets: readonly Toolset[], signal: AbortSignal): Promise<Tool[]> {
  const all = await Promise.all(
    toolsets.map(async (toolset) => {
      const tools = await toolset.tools(signal)
      const nodeId = nodeOfPart(toolset)
      if (nodeId !== undefined) for (const tool of tools) notePartNode(tool, nodeId)
      return tools
    }),
  )
  return all.flat()
}

/** The tools of one agent by name. Tools with the same name get a number: `search`, `search_2`. */
export function toolsByName(tools: readonly Tool[]): Map<string, Tool> {
  const byName = new Map<string, Tool>()
  const taken = new Set<string>()
  for (const tool of tools) {
    const name = uniqueToolName(tool.name, taken)
    const named =
      name === tool.name ? tool : { ...tool, name, call: (...args: ToolArguments) => tool.call(...args) }
    const nodeId = nodeOfPart(tool)
    if (nodeId !== undefined) notePartNode(named, nodeId)
    byName.set(name, named)
  }
  return byName
}

/**
 * Makes a tool call. An invalid call or a failed one is a result with `failed`, which the model reads.
 *
 * @throws SluiceError `cancelled` when the signal is aborted; any error that is not a SluiceError: a bug
 */
export function runToolCall(
  call: ToolCall,
  tools: ReadonlyMap<string, Tool>,
  context: ToolCallContext,
  signal: AbortSignal,
): Promise<ToolCallResult> {
  const nodeId = nodeOfPart(tools.get(call.name))
  const begun: BegunSpan = {
    ...{ kind: 'tool', name: call.name, input: parseCallInput(call) },
    ...(nodeId === undefined ? {} : { nodeId }),
  }
  return runSpan(begun, signal, async (note) => {
    const { answer, input } = recordedStep()
    const made = input === undefined ? call : { ...call, input: JSON.stringify(input) }
    const result = answer ? repeatedCall(made, answer) : await makeCall(made, tools, context, signal)
    const status = result.used.trace?.http?.at(-1)?.status
    note({
      ...{ input: result.used.toolInput, output: result.output },
      ...(typeof status === 'number' ? { httpStatus: status } : {}),
      ...(result.failed ? { status: 'ERROR' } : {}),
      ...(answer ? { recorded: true } : {}),
    })
    // The loop finds the answer by the call that the model made.
    return { ...result, call }
  })
}

/** A call as the record of a run has it. The tool is not called, and no document comes from it. */
function repeatedCall(call: ToolCall, { output = '', status, input }: RunSpan): ToolCallResult {
  const failed = status === 'ERROR'
  const toolInput = isObject(input) ? (input as JsonObject) : parseCallInput(call)
  const used: UsedTool = { tool: call.name, toolInput, toolOutput: output, trace: { callId: call.id } }
  return { call, output, failed, documents: [], used: failed ? { ...used, error: output } : used }
}

async function makeCall(
  call: ToolCall,
  tools: ReadonlyMap<string, Tool>,
  context: ToolCallContext,
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
  const startedAt = Date.now()
  const clock = performance.now()
  const trace = () => ({ callId: call.id, startedAt, ms: Math.round(performance.now() - clock) })
  try {
    const { output, failed = false, documents = [], http } = await tool.call(input, signal, context)
    const used: UsedTool = {
      tool: tool.name,
      toolInput: input,
      toolOutput: output,
      trace: { ...trace(), ...(http ? { http } : {}) },
    }
    return { call, output, failed, documents, used: failed ? { ...used, error: output } : used }
  } catch (error) {
    throwIfCancelled(signal)
    if (error instanceof SluiceError)
      return {
        ...refusedCall(call, error.message),
        used: { ...failedUse(call, input, error.message), trace: trace() },
      }
    throw error
  }
}

/** The result of a call that was not made. @param reason the text for the model */
export function refusedCall(call: ToolCall, reason: string): ToolCallResult {
  return {
    call,
    output: reason,
    failed: true,
    documents: [],
    used: failedUse(call, parseCallInput(call), reason),
  }
}

/** The input of a call; `{}` if it is not a JSON object. */
export function parseCallInput(call: ToolCall): JsonObject {
  const input = parseJson(call.input)
  return isObject(input) ? (input as JsonObject) : {}
}

const failedUse = (call: ToolCall, toolInput: JsonObject, error: string): UsedTool => ({
  tool: call.name,
  toolInput,
  toolOutput: error,
  error,
  trace: { callId: call.id },
})
