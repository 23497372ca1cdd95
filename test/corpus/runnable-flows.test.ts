import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { createPredictor } from '../../src/agent/predictor.ts'
import type { AgentDependencies } from '../../src/agent/runtime.ts'
import type { PausedRun } from '../../src/contract/paused-run-store.ts'
import { checkFlow } from '../../src/flow/check/check-flow.ts'
import type { ReportRow, Runs } from '../../src/flow/check/report-row.ts'
import { isAgentFlow, readGraph } from '../../src/flow/graph.ts'
import { type Imported, importExport } from '../../src/flow/import/import.ts'
import { readConfig } from '../../src/kit/config.ts'
import { SluiceError } from '../../src/kit/errors.ts'
import { catalog } from '../../src/nodes/catalog.ts'
import { startChatServer } from '../support/chat-server.ts'
import { lend } from '../support/lend.ts'
import { startProviderServer } from '../support/provider-server.ts'
import { recordedEgress, willing } from '../support/recorded-services.ts'

const corpus = process.env.SLUICE_CORPUS
const folder = path.join(corpus ?? '', 'flows')
const skip = corpus === undefined && 'SLUICE_CORPUS is not set'

/** Keys of all providers: a person has supplied what the report asks for. */
const KEYS = {
  OPENAI_API_KEY: 'sk-of-the-test',
  ANTHROPIC_API_KEY: 'of-the-test',
  GOOGLE_GENERATIVE_AI_API_KEY: 'of-the-test',
}

type Outcome = { file: string; runs: Runs | 'no flow'; nodes: number; why: string; answers: string }

test('every flow file of the corpus that the report calls runnable answers [flow:report]', {
  skip,
}, async () => {
  const chat = await startChatServer()
  const embeddings = await startProviderServer()
  chat.otherwise = willing
  after(() => {
    chat.close()
    embeddings.close()
  })
  const nodeServices = lend({
    parser: {} as AgentDependencies['nodeServices']['parser'],
    openStore: (namespace) => ({ namespace }) as ReturnType<AgentDependencies['nodeServices']['openStore']>,
    retrieve: async () => [{ pageContent: 'Otters hold hands.', metadata: { source: 'otters.txt' } }],
    settings: readConfig({ environment: KEYS }),
    egress: recordedEgress({ loopback: true }, { chat, embeddings }),
  })

  const outcomes: Outcome[] = []
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const exported: unknown = JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
    let flows: Imported[]
    try {
      flows = importExport(exported, { catalog, credentials: new Set(), flows: new Set() }).flows
    } catch (error) {
      assert.ok(error instanceof SluiceError, `${file}: ${String(error)}`)
      outcomes.push({ file, runs: 'no flow', nodes: 0, why: error.message, answers: '' })
      continue
    }
    for (const { flowData, rows } of flows) {
      const {
        runs,
        nodes,
        rows: lines,
      } = await checkFlow(
        flowData,
        {
          catalog,
          credentials: new Map(),
          flows: new Set(),
          variables: new Set(),
          context: nodeServices,
        },
        rows,
      )
      outcomes.push({ file, runs, nodes, why: whyNot(lines), answers: await answerOf(flowData) })
    }
  }
  print(outcomes)
  const promised = outcomes.filter(({ runs }) => runs === 'yes')
  assert.deepEqual(
    promised.filter(({ answers }) => answers !== 'yes').map(({ file, answers }) => `${file}: ${answers}`),
    [],
  )
  // The other way around: what the report refuses does not answer.
  const refused = outcomes.filter(({ runs, answers }) => runs === 'no' && answers === 'yes')
  assert.deepEqual(
    refused.map(({ file, why }) => `${file}: ${why}`),
    [],
  )

  /** `yes`, or the refusal of the first question. A person approves what waits for one. */
  async function answerOf(flowData: object): Promise<string> {
    const paused = new Map<string, PausedRun>()
    const predictor = createPredictor(runtimeOf(paused))
    const flow = { id: 'flow', flowData: JSON.stringify(flowData), apiConfig: {} }
    const graph = readGraph(flow.flowData)
    const asks = { chatId: 'chat', history: [], uploads: [], overrides: {} }
    const form = formOf(flow.flowData)
    try {
      let answer = await ask({ question: 'What is new?', ...(form ? { form } : {}) })
      for (let turns = 0; answer.action && turns < 10; turns++)
        answer = await ask({ humanInput: { type: 'proceed' } })
      return answer.action ? 'waits for ever' : 'yes'
    } catch (error) {
      assert.ok(error instanceof SluiceError, `${isAgentFlow(graph)} ${String(error)}`)
      return `${error.code}: ${error.message}`
    }

    async function ask(asked: object) {
      const run = await predictor.prepare(flow, { ...asks, ...asked })
      return run.run(() => {}, AbortSignal.timeout(60_000))
    }
  }

  function runtimeOf(paused: Map<string, PausedRun>): AgentDependencies {
    return {
      catalog,
      nodeServices,
      history: { messages: async () => [] },
      pausedRuns: {
        save: async (run) => void paused.set(run.sessionId, structuredClone(run)),
        find: async (_flow, session) => paused.get(session),
        async take(id) {
          const found = [...paused.values()].find((run) => run.id === id)
          return found !== undefined && paused.delete(found.sessionId)
        },
      },
      flowStates: { save: async () => {}, find: async () => undefined },
      variables: { list: async () => [] },
      environment: () => undefined,
      findFlow: async () => undefined,
      now: () => new Date('2026-11-27T10:00:00Z'),
    }
  }
})

/** The values of the form of an agent flow that begins with one. */
function formOf(flowData: string): Record<string, string> | undefined {
  const start = [...readGraph(flowData).nodes.values()].find(({ name }) => name === 'startAgentflow')
  if (start?.inputs.startInputType !== 'formInput') return undefined
  const rows = start.inputs.formInputTypes
  return Object.fromEntries(
    (Array.isArray(rows) ? rows : []).map((row: { name: string }) => [row.name, 'text']),
  )
}

const whyNot = (rows: readonly ReportRow[]): string => {
  const [first, ...others] = rows.filter(
    ({ severity }) => severity === 'unsupported' || severity === 'needed',
  )
  return first ? `${first.what}${others.length > 0 ? ` (and ${others.length} more)` : ''}` : ''
}

/** The table goes to the output of the test. */
function print(outcomes: readonly Outcome[]): void {
  for (const { file, nodes, runs, answers, why } of outcomes)
    console.log(
      `${runs.padEnd(7)} ${String(nodes).padStart(3)}  ${answers.slice(0, 90).padEnd(12)}  ${file}  ${why}`,
    )
  const count = (runs: Outcome['runs'], answered?: boolean) =>
    outcomes.filter((one) => one.runs === runs && (!answered || one.answers === 'yes')).length
  console.log(
    `${outcomes.length} flows: runnable ${count('yes')}, of which ${count('yes', true)} answer; ` +
      `after something is supplied ${count('after')} (${count('after', true)} answer already); ` +
      `not ${count('no')} (${count('no', true)} answer); no flow ${count('no flow')}`,
  )
}
