import type { AgentOutcome } from '../contract/agent.ts'
import type { AnswererPart } from '../contract/card.ts'
import type { PastMessage } from '../contract/chat-history.ts'
import type { ToolOutcome } from '../contract/tool.ts'
import type { FlowSource, Warning } from '../flow/apply-request.ts'
import { unknownNode } from '../flow/check/instead.ts'
import type { FlowNode } from '../flow/graph.ts'
import { namesHistory } from '../flow/named-nodes.ts'
import { filledBuilder, planPrediction } from '../flow/plan-prediction.ts'
import { flowScope, type VariableScope, variableValues } from '../flow/variables.ts'
import { SluiceError } from '../kit/errors.ts'
import { randomId } from '../kit/hash.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import type { AnswerContext } from './answer-context.ts'
import { findPausedRun, refuseInNestedFlow, takePausedRun } from './approval.ts'
import { type NamedOutputs, withOutputs } from './chains/filled-prompt.ts'
import { foundText } from './chains/found-text.ts'
import { loadedText } from './chains/loaded-text.ts'
import {
  buildNamedParts,
  type NamedOutput,
  type NamedPart,
  type NamedRun,
  runNamed,
} from './chains/named-outputs.ts'
import {
  conversationHistory,
  flowInfo,
  readUserInput,
  requireQuestion,
  type UserInput,
} from './conversation.ts'
import type { LoopState } from './loop.ts'
import { makeValue } from './make-value.ts'
import { addUsage, NO_TOKENS } from './model-turn.ts'
import { withNodeId } from './node-of-failure.ts'
import { notePartNode } from './part-nodes.ts'
import type { Emit, PredictionRequest, PreparedRun } from './prediction.ts'
import { moderated, runAnswerer } from './run-answerer.ts'
import type { AgentRuntime } from './runtime.ts'

/** What is asked: by a user, or by a model that has a chain as a tool. */
type Asked = { input: UserInput & { question: string }; past: readonly PastMessage[]; scope: VariableScope }

/**
 * Prepares a chat flow to answer one request: builds its last node and all nodes that plug into it, with variables
 * replaced by their values.
 */
export async function prepareChat(
  runtime: AgentRuntime,
  flow: FlowSource,
  request: PredictionRequest,
): Promise<PreparedRun> {
  const { catalog, nodeServices } = runtime
  const plan = planPrediction(runtime, flow, {
    overrides: request.overrides,
    variables: await variableValues(runtime.variables, runtime.environment),
  })
  const { memory, root, variables } = plan
  const input = readUserInput(request)
  const sessionId = request.sessionId ?? memory?.sessionId ?? request.chatId
  const human = request.humanInput
  const paused = human && (await findPausedRun(runtime.pausedRuns, flow.id, sessionId, human, plan.nodes))
  if (!paused) requireQuestion(input)
  const past = hasMemory()
    ? await conversationHistory(runtime, flow.id, sessionId, request, memory?.last)
    : [...request.history]
  const info = flowInfo(flow, request, sessionId)
  const asked: Asked = { input, past, scope: scopeOf(input.question, input.fileText, past) }
  const drawing = { graph: { ...plan.graph, nodes: plan.nodes }, catalog }
  const ends = plan.ends.map(({ id }) => plan.nodes.get(id)!)
  const parts = buildNamedParts(
    ends.map(({ id }) => id),
    drawing,
    (id) => buildNamed(id, asked.scope),
  )
  return {
    streams: plan.streams,
    sessionId,
    answerer: { nodeId: root.id, nodeLabel: root.label },
    ...(memory ? { memoryType: memory.label } : {}),
    warnings: [...plan.warnings, ...unusedPictures()],
    async run(emit, signal) {
      const resumed = paused && { human, loop: await takePausedRun<LoopState>(runtime.pausedRuns, paused) }
      const outputs = runNamed(drawing, (id, known) => outputOf(id, known, signal))
      const node = paused ? plan.nodes.get(paused.nodeId)! : await takenEnd(outputs)
      const answered = await answerAt(node.id).catch((error: unknown) => {
        throw withNodeId(error, node.id)
      })
      const usage = addUsage(outputs.usage(), answered.usage)
      return { ...answered, usage, ...(memory ? { memoryType: memory.label } : {}) }

      async function answerAt(id: string): Promise<AgentOutcome> {
        const named = parts.get(id)!
        if (named.kind !== 'answerer') return answerByValue((await outputs.output(id)).value, emit)
        const again = resumed ? { resumed } : {}
        return moderated(named.part, { ...contextOf(id, NONE), ...again }, emit, signal, async () => {
          const known = await outputs.outputsFor(id)
          const { part } = partWith(id, known) as typeof named
          return runAnswerer(part, { ...contextOf(id, known), ...again }, emit, signal)
        })
      }
    },
  }

  function scopeOf(question: string, fileText: string, before: readonly PastMessage[]): VariableScope {
    return flowScope({
      ...{ question, form: {}, fileText, past: before, now: runtime.now(), variables, flow: info },
    })
  }

  /** A retrieval chain that can have a memory uses the stored conversation even without one, and so does a prompt that names it. */
  function hasMemory(): boolean {
    const { anchors } = catalog.get(root.name)!
    return (
      memory !== undefined ||
      (Object.hasOwn(anchors, 'vectorStoreRetriever') && Object.hasOwn(anchors, 'memory')) ||
      [...plan.nodes.values()].some((node) => namesHistory(node, catalog))
    )
  }

  /** The node that answers: of several the first whose branches are taken. */
  async function takenEnd(outputs: NamedRun): Promise<FlowNode> {
    for (const end of ends) if (await outputs.isTaken(end.id)) return end
    const reason = 'no node answers behind the branch that was taken'
    throw new SluiceError('flow_cannot_answer', { reason })
  }

  /** A node that answers, or whose output stands in texts. */
  function buildNamed(id: string, names: VariableScope): NamedPart {
    const node = plan.nodes.get(id)
    if (node && !catalog.has(node.name)) throw unknownNode(node.name, node.category)
    const kind = node && catalog.get(node.name)?.kind
    const build = filledBuilder(plan, catalog, names, notePartNode)
    if (kind === 'answerer') return { kind, label: node!.label, part: build(kind, id) }
    if (kind === 'loader') return { kind, label: node!.label, part: build(kind, id) }
    if (kind === 'passages') return { kind, label: node!.label, part: build(kind, id) }
    if (kind === 'value') return { kind, label: node!.label, part: build(kind, id) }
    const reason = node
      ? `${node.label} has no text that could stand in a prompt`
      : `it refers to the node ${id}, which does not exist`
    throw new SluiceError('flow_invalid', { reason, nodeId: id })
  }

  /** A node with the outputs that its texts, and those of all that plugs into it, name. */
  function partWith(id: string, known: NamedOutputs): NamedPart {
    return known.size === 0 ? parts.get(id)! : buildNamed(id, withOutputs(asked.scope, known))
  }

  function contextOf(id: string, known: NamedOutputs, by: Asked = asked): AnswerContext {
    const node = plan.nodes.get(id)!
    return {
      ...{ input: by.input, past: by.past, node, retrieve: nodeServices.retrieve },
      scope: withOutputs(by.scope, known),
      callContext: {
        flow: { ...info, input: by.input.question },
        variables,
        answerWith: (chain, question, signal) =>
          answerOfChain(chain as AnswererPart, contextOf(id, known, askedByTool(question)), signal),
      },
      savePausedRun: (loop) => savePausedRun(id, loop),
    }
  }

  /** A chain that a tool asks knows nothing of the conversation. */
  function askedByTool(question: string): Asked {
    return { input: { text: question, images: [], question }, past: [], scope: scopeOf(question, '', []) }
  }

  /** Runs a node whose output stands in texts. Nothing of it goes to the client but its part of the record. */
  async function outputOf(id: string, known: NamedOutputs, signal: AbortSignal): Promise<NamedOutput> {
    const context = contextOf(id, known)
    try {
      const named = partWith(id, known)
      switch (named.kind) {
        case 'loader':
          return { value: await loadedText(named.part, signal), usage: NO_TOKENS }
        case 'passages':
          return { value: await foundText(named.part, context, signal), usage: NO_TOKENS }
        case 'value': {
          const more = { graph: drawing.graph, outputs: known, egress: nodeServices.egress, signal }
          return { ...(await makeValue(named.part, { ...context, ...more })), usage: NO_TOKENS }
        }
        case 'answerer': {
          const { text, json, usage } = await answerQuietly(named.part, named.label, context, signal)
          return { value: json ?? text, usage }
        }
      }
    } catch (error) {
      throw withNodeId(error, id)
    }
  }

  async function savePausedRun(nodeId: string, loop: LoopState): Promise<void> {
    refuseInNestedFlow(request.callingFlows)
    const run = { id: randomId(), flowId: flow.id, sessionId, nodeId }
    const state = loop as unknown as JsonObject
    await runtime.pausedRuns.save({ ...run, createdAt: runtime.now().getTime(), state })
  }

  function unusedPictures(): Warning[] {
    const models = ends.flatMap(({ id }) => {
      const named = parts.get(id)!
      return named.kind === 'answerer' ? [named.part.model] : []
    })
    if (input.images.length === 0 || models.some(({ images }) => images)) return []
    return [{ key: 'uploads', reason: 'the model of this flow is not set up to take pictures' }]
  }
}

const NONE: NamedOutputs = new Map()

/** What a node that makes a value has made is the answer. */
async function answerByValue(made: Json, emit: Emit): Promise<AgentOutcome> {
  const text = typeof made === 'string' ? made : made === null ? '' : JSON.stringify(made)
  if (text !== '') await emit({ event: 'token', data: text })
  return { text, usage: NO_TOKENS }
}

/** The answer of a chain that a tool asks. */
async function answerOfChain(
  chain: AnswererPart,
  context: AnswerContext,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const { text, json, sourceDocuments = [] } = await answerQuietly(chain, 'a tool', context, signal)
  return { output: json === undefined ? text : JSON.stringify(json), documents: sourceDocuments }
}

/** An answer within another one. Nothing of it goes to the client, and it cannot wait for a person. */
function answerQuietly(
  part: AnswererPart,
  label: string,
  context: AnswerContext,
  signal: AbortSignal,
): Promise<AgentOutcome> {
  const name = part.type === 'promptChain' ? (part.name ?? label) : label
  const quiet: AnswerContext = {
    ...context,
    purpose: `for ${name}`,
    async savePausedRun() {
      const reason = `${name} would have to wait for a person, within another answer`
      throw new SluiceError('flow_cannot_answer', { reason })
    },
  }
  const silent = () => {}
  return moderated(part, quiet, silent, signal, () => runAnswerer(part, quiet, silent, signal))
}
