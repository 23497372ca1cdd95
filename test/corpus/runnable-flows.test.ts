import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { createPredictor } from '../../src/agent/predictor.ts'
import type { AgentDependencies } from '../../src/agent/runtime.ts'
import type { PausedRun } from '../../src/contract/paused-run-store.ts'
import { checkFlow } from '../../src/flow/check/check-flow.ts'
import type { ReportRow, Runs } from '../../src/flow/check/report-row.ts'
import { readGraph } from '../../src/flow/graph.ts'
import { type Imported, importExport } from '../../src/flow/import/import.ts'
import { credentialKindsOf } from '../../src/flow/credentials.ts'
import { partsWithin } from '../../src/flow/import/parts-within.ts'
import { isObject, type JsonObject } from '../../src/kit/json.ts'
import { findCredentialKind } from '../../src/nodes/credential-kinds.ts'
import { searchServices } from '../../src/nodes/tools/search-services.ts'
import { readConfig } from '../../src/kit/config.ts'
import type { RuleTexts } from '../../src/kit/egress/rules.ts'
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

/** Servers on which the flows are judged: with keys and local models, for everybody, and with nothing set. */
const SERVERS: Readonly<Record<string, { rules: RuleTexts; environment: Record<string, string> }>> = {
  'of one machine with all keys': { rules: { loopback: true }, environment: KEYS },
  'of a network with all keys': { rules: {}, environment: KEYS },
  'with nothing set': { rules: { loopback: true }, environment: {} },
}

type Outcome = {
  file: string
  runs: Runs | 'no flow'
  nodes: number
  why: string
  answers: string
  /** Whether it takes documents only, or the report refuses nothing but upserts. */
  asked: boolean
}

for (const [server, { rules, environment }] of Object.entries(SERVERS))
  test(`every flow file of the corpus that the report calls runnable answers, on a server ${server} [flow:report]`, {
    skip,
  }, async (t) => {
    const chat = await startChatServer()
    const embeddings = await startProviderServer()
    chat.otherwise = willing
    t.after(() => {
      chat.close()
      embeddings.close()
    })
    const supplied = environment === KEYS
    const nodeServices = lend({
      ...(supplied ? { credential: keyOf } : {}),
      parser: {} as AgentDependencies['nodeServices']['parser'],
      openStore: (namespace) => ({ namespace }) as ReturnType<AgentDependencies['nodeServices']['openStore']>,
      retrieve: async () => [{ pageContent: 'Otters hold hands.', metadata: { source: 'otters.txt' } }],
      settings: readConfig({ environment }),
      egress: recordedEgress(rules, { chat, embeddings }),
    })

    const outcomes: Outcome[] = []
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
      const exported: unknown = JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
      let flows: Imported[]
      try {
        flows = importExport(exported, { catalog, credentials: new Set(), flows: new Set() }).flows
      } catch (error) {
        assert.ok(error instanceof SluiceError, `${file}: ${String(error)}`)
        outcomes.push({ file, runs: 'no flow', nodes: 0, why: error.message, answers: '', asked: false })
        continue
      }
      for (const { flowData, rows } of flows) {
        if (supplied) supplyKeys(flowData)
        const {
          runs,
          nodes,
          problems,
          rows: lines,
        } = await checkFlow(
          flowData,
          {
            catalog,
            credentials: supplied ? SEARCH_KEYS : new Map(),
            flows: new Set(),
            variables: new Set(),
            context: nodeServices,
          },
          rows,
        )
        const refusesQuestions = problems.some(({ requests }) => requests.includes('prediction'))
        outcomes.push({
          file,
          runs,
          nodes,
          why: whyNot(lines),
          answers: await answerOf(flowData),
          asked: runs === 'yes' ? !lines.some(({ what }) => ANSWERS_NOTHING.test(what)) : refusesQuestions,
        })
      }
    }
    for (const line of printed(outcomes)) t.diagnostic(line)
    const promised = outcomes.filter(({ runs, asked }) => runs === 'yes' && asked)
    assert.deepEqual(
      promised.filter(({ answers }) => answers !== 'yes').map(({ file, answers }) => `${file}: ${answers}`),
      [],
    )
    // The other way around: what the report refuses for good does not answer.
    const refused = outcomes.filter(({ runs, asked, answers }) => runs === 'no' && asked && answers === 'yes')
    assert.deepEqual(
      refused.map(({ file, why }) => `${file}: ${why}`),
      [],
    )

    /** `yes`, or the refusal of the first question. A person approves what waits for one. */
    async function answerOf(flowData: object): Promise<string> {
      const paused = new Map<string, PausedRun>()
      const predictor = createPredictor(runtimeOf(paused))
      const flow = { id: 'flow', flowData: JSON.stringify(flowData), apiConfig: {} }
      const asks = { chatId: 'chat', history: [], uploads: [], overrides: {} }
      const form = formOf(flow.flowData)
      try {
        let answer = await ask({ question: 'What is new?', ...(form ? { form } : {}) })
        for (let turns = 0; answer.action && turns < 10; turns++)
          answer = await ask({ humanInput: { type: 'proceed' } })
        return answer.action ? 'waits for ever' : 'yes'
      } catch (error) {
        assert.ok(error instanceof SluiceError, String(error))
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

/** A credential of each kind that a search service takes, by its id, which is the name of the kind. */
const SEARCH_KEYS = new Map(
  searchServices.flatMap(credentialKindsOf).map((kind) => [kind, { name: kind, kind }] as const),
)

const keyOf = async (kind: string): Promise<Record<string, string>> =>
  Object.fromEntries(findCredentialKind(kind).fields.map(({ name }) => [name, 'of-the-test']))

/** A person has given each search service of a flow its key, as the report asks. */
function supplyKeys(flowData: JsonObject): void {
  for (const { data } of flowData.nodes as { data?: JsonObject & { inputs?: JsonObject } }[]) {
    if (!data || !isObject(data.inputs)) continue
    const supply = (name: string, inputs: Record<string, unknown>) => {
      const kind = credentialKindsOf(catalog.get(name)).find((one) => SEARCH_KEYS.has(one))
      if (kind !== undefined) inputs.credential = kind
    }
    supply(String(data.name), data.inputs)
    for (const part of partsWithin(data.inputs)) supply(part.name, part.inputs)
  }
}

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

const ANSWERS_NOTHING = /answers no questions/

/** The table of a corpus: whether a flow runs, its nodes, whether it answered, its file and why not. */
function printed(outcomes: readonly Outcome[]): string[] {
  const count = (runs: Outcome['runs'], answered?: boolean) =>
    outcomes.filter((one) => one.runs === runs && (!answered || one.answers === 'yes')).length
  return [
    ...outcomes.map(
      ({ file, nodes, runs, answers, why }) =>
        `${runs.padEnd(7)} ${String(nodes).padStart(3)}  ${answers.slice(0, 60).padEnd(3)}  ${file}  ${why}`,
    ),
    `${outcomes.length} flows: ${count('yes')} run, of which ${count('yes', true)} answer; ` +
      `${count('after')} after something is supplied (${count('after', true)} answer already); ` +
      `${count('no')} not (${count('no', true)} answer, without their documents); ${count('no flow')} files without a flow`,
  ]
}
