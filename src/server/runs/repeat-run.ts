import { stepsToRepeat, whyNotFrom } from '../../agent/again/run-steps.ts'
import type { ChatMessageRow, ChatMessageStore } from '../../contract/chat-message-store.ts'
import type { StoredExecution } from '../../contract/flow-execution-store.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import type { RunAgain } from '../../contract/run-again.ts'
import type { RunSpan } from '../../contract/run-span.ts'
import { readGraph } from '../../flow/graph.ts'
import { SluiceError } from '../../kit/errors.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../../kit/json.ts'
import type { ChatRequest } from '../chat/turn.ts'

export type RepeatOptions = Pick<RunAgain, 'from' | 'input' | 'tools'> & {
  question?: string | undefined
  overrideConfig?: JsonObject | undefined
}

/**
 * The request that does a recorded answer again, in a conversation of its own. It has the messages that came before the question.
 *
 * @throws SluiceError `run_not_repeatable` with the reason
 */
export async function requestAgain(
  execution: StoredExecution,
  flow: FlowRow,
  messages: Pick<ChatMessageStore, 'list'>,
  options: RepeatOptions,
): Promise<ChatRequest> {
  const { spans, state, sessionId, questionId, flowId } = execution
  if (state === 'INPROGRESS') throw refusal('it is still going on')
  const { rows } = await messages.list(flowId, { sessionId }, { ascending: true })
  const at = rows.findIndex(({ id }) => id === questionId)
  const asked = rows[at]
  if (!asked) throw refusal('its question is not kept any more')
  const from = stepOf(spans, options)
  const { question, form } = askedAgain(asked, flow, options.question)
  return {
    ...(question === undefined ? {} : { question }),
    ...(form ? { form } : {}),
    chatId: undefined,
    history: [],
    uploads: [],
    files: [],
    overrides: options.overrideConfig ?? {},
    chatType: 'INTERNAL',
    past: rows.slice(0, at).map(({ role, content }) => ({ role, content })),
    again: { spans, from, input: options.input, tools: options.tools },
  }
}

/** The step from which it is done anew. Another input of a node is that of the first step in it. */
function stepOf(spans: readonly RunSpan[], { from, input }: RepeatOptions): number {
  const step = spans.find(({ id }) => id === from)
  if (!step) throw refusal(`it has no step ${from}`)
  const reason = whyNotFrom(spans).get(from)
  if (reason !== undefined) throw refusal(reason)
  if (spans.some(({ pinned }) => pinned))
    throw refusal('its searches were limited to the pins of a key, which the record does not have')
  if (input === undefined) return from
  if (step.kind !== 'node') return checked(step, input)
  const first = stepsToRepeat(spans).find((span) => isWithin(span, from, spans) && span.kind !== 'node')
  if (!first) throw refusal(`no model, tool or search of the node ${step.name} could get another input`)
  return checked(first, input)
}

function checked({ id, kind, name }: RunSpan, input: Json): number {
  const fits = kind === 'tool' ? isObject(input) : typeof input === 'string'
  if (fits) return id
  throw refusal(`step ${id} (${name}) takes ${kind === 'tool' ? 'an object' : 'a text'} as its input`)
}

function isWithin(span: RunSpan, node: number, spans: readonly RunSpan[]): boolean {
  if (span.parent === undefined) return false
  if (span.parent === node) return true
  const parent = spans.find(({ id }) => id === span.parent)
  return parent !== undefined && isWithin(parent, node, spans)
}

/** The question, or the form of an agent flow that begins with one. */
function askedAgain(
  { content, details }: ChatMessageRow,
  flow: FlowRow,
  other: string | undefined,
): { question?: string; form?: JsonObject } {
  if (Array.isArray(details.fileUploads) && details.fileUploads.length > 0)
    throw refusal('its question came with files, which the record does not have')
  if (other !== undefined) return { question: other }
  const start = [...readGraph(flow.flowData).nodes.values()].find(({ name }) => name === 'startAgentflow')
  const form = start?.inputs.startInputType === 'formInput' ? parseJson(content) : undefined
  return isObject(form) ? { form: form as JsonObject } : { question: content }
}

const refusal = (reason: string) => new SluiceError('run_not_repeatable', { reason })
