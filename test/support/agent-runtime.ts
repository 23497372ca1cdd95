import type { AgentDependencies } from '../../src/agent/runtime.ts'
import type { PredictionRequest } from '../../src/agent/prediction.ts'
import { createPredictor } from '../../src/agent/predictor.ts'
import type { AgentEvent } from '../../src/contract/agent.ts'
import { defineNode } from '../../src/cards/define-node.ts'
import type { PastMessage } from '../../src/contract/chat-history.ts'
import type { ChatModel } from '../../src/contract/chat-model.ts'
import type { PausedRun } from '../../src/contract/paused-run-store.ts'
import type { RunSpan } from '../../src/contract/run-span.ts'
import { textField } from '../../src/cards/field.ts'
import type { Tool } from '../../src/contract/tool.ts'
import type { Variable } from '../../src/contract/variable.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { makeCatalog } from '../../src/flow/catalog.ts'
import { catalog } from '../../src/nodes/catalog.ts'
import { lend } from './lend.ts'

const plain = { version: 1, category: '', type: '', baseClasses: [], description: '', anchors: {} }

export type AgentStage = {
  /** Models by the name in the input of the node `scripted`. */
  models?: Record<string, ChatModel>
  tools?: Tool[]
  past?: PastMessage[]
  variables?: Variable[]
  retrieve?: AgentDependencies['nodeServices']['retrieve']
  /** Default: no network. */
  egress?: AgentDependencies['nodeServices']['egress']
  /** Other flows, by id. */
  flows?: Record<string, object>
  credentials?: Record<string, Record<string, string>>
}

/** A predictor with two more nodes: the model `scripted` answers from a script, `props` has the tools of the test. */
export function agentRuntime(stage: AgentStage) {
  const runs = new Map<string, PausedRun>()
  const states = new Map<string, JsonObject>()
  const house: AgentDependencies = {
    catalog: makeCatalog([
      ...catalog.values(),
      defineNode({
        ...plain,
        kind: 'chatModel',
        name: 'scripted',
        label: 'Scripted',
        fields: { script: textField('Script', 'model') },
        build: ({ values }) => stage.models![values.script]!,
      }),
      defineNode({
        ...plain,
        kind: 'tools',
        name: 'props',
        label: 'Props',
        fields: { only: textField('Only', undefined) },
        build: ({ values: { only } }) => ({
          tools: async () => (stage.tools ?? []).filter(({ name }) => only === undefined || name === only),
        }),
      }),
    ]),
    nodeServices: lend({
      parser: {} as AgentDependencies['nodeServices']['parser'],
      openStore: (namespace) => ({ namespace }) as ReturnType<AgentDependencies['nodeServices']['openStore']>,
      ...(stage.retrieve ? { retrieve: stage.retrieve } : {}),
      ...(stage.egress ? { egress: stage.egress } : {}),
      credential: async (id) => stage.credentials![id]!,
    }),
    history: { messages: async (_flow, _session, last) => (stage.past ?? []).slice(last ? -last : 0) },
    pausedRuns: {
      save: async (run) => void runs.set(run.sessionId, structuredClone(run)),
      find: async (_flow, session) => runs.get(session),
      async take(id) {
        const found = [...runs.values()].find((run) => run.id === id)
        return found !== undefined && runs.delete(found.sessionId)
      },
    },
    flowStates: {
      save: async ({ flowId, sessionId, state }) =>
        void states.set(`${flowId} ${sessionId}`, structuredClone(state)),
      find: async (flowId, sessionId) => states.get(`${flowId} ${sessionId}`),
    },
    variables: { list: async () => stage.variables ?? [] },
    environment: () => undefined,
    findFlow: async (id) => {
      const drawing = stage.flows?.[id]
      return drawing && { id, flowData: JSON.stringify(drawing), apiConfig: {} }
    },
    now: () => new Date('2026-07-24T10:00:00Z'),
  }
  const predictor = createPredictor(house)

  const events: AgentEvent[] = []

  /** Runs a flow to its end. */
  async function ask(
    flowData: object,
    asked: Partial<PredictionRequest> = {},
    apiConfig: unknown = {},
    signal = never,
  ) {
    const flow = { id: 'flow-1', flowData: JSON.stringify(flowData), apiConfig }
    const whole = {
      question: 'What is new?',
      chatId: 'chat-1',
      history: [],
      uploads: [],
      overrides: {},
      ...asked,
    }
    const run = await predictor.prepare(flow, whole)
    events.length = 0
    const spans = new Map<number, RunSpan>()
    const outcome = await run.run((event) => {
      if (event.event === 'span') spans.set(event.data.id, event.data)
      else events.push(event)
    }, signal)
    const tokens = events.flatMap((event) => (event.event === 'token' ? [event.data] : [])).join('')
    return {
      ...run,
      ...outcome,
      spans: [...spans.values()],
      events: [...events],
      tokens,
      names: events.map(({ event }) => event),
    }
  }
  return { ask, predictor, runs, events }
}

const never = new AbortController().signal
