import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tryPart } from '../flow/check/build-problems.ts'
import type { FlowContext, NodeCard } from '../contract/card.ts'
import type { ChunkStore } from '../contract/chunk-store.ts'
import { createEgress } from '../kit/egress/client.ts'
import { createEgressRules } from '../kit/egress/rules.ts'
import { readConfig } from '../kit/config.ts'
import { catalog } from './catalog.ts'

const context = {
  flowId: 'flow',
  egress: createEgress({ rules: createEgressRules({}) }),
  settings: readConfig({ environment: { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' } }),
  credential: async () => ({ user: 'u', password: 'p', pineconeApiKey: 'k' }),
  openStore: (namespace: string) => ({ namespace }) as ChunkStore,
  openSeparateStore: (namespace: string) => ({ namespace }) as ChunkStore,
} as Partial<FlowContext> as FlowContext

/** Parts that a card needs, as far as it looks at them. */
const parts = { baseRetriever: { retrieval: { topK: 4 } }, embeddings: {} }

/** Inputs that say by which way a flow leaves, and are no address: a switch, an object that holds addresses, or without effect. */
const NO_ADDRESS = new Set([
  'serverVariables',
  'followLinks',
  'additionalConfig',
  'executeFlowBaseURL',
  'port',
  'ssl',
  'selectedServer',
  'selectedLinks',
])

const isOldName = (card: NodeCard, input: string) => card.fields[input]!.hidden === true

for (const card of catalog.values())
  for (const [input, { guard, label }] of Object.entries(card.fields)) {
    if (guard !== 'url' || NO_ADDRESS.has(input) || isOldName(card, input)) continue
    if (/has no effect/i.test(card.fields[input]!.description ?? '')) continue
    test(`a check of the node ${card.name} says that the address in ${label} may not be called`, async () => {
      const node = { id: 'n', name: card.name, label: card.name, category: '', inputs: inputsOf(card, input) }
      const tried = await tryPart(card, node, parts, context)
      assert.ok('refusals' in tried, 'nothing is refused')
      const [refused] = tried.refusals.filter(({ error }) => error.code === 'egress_denied')
      assert.ok(refused, tried.refusals.map(({ error }) => error.message).join())
      assert.match(refused.error.message, /may not call 10\.1\.2\.3:\d+: (EGRESS|MCP)_ALLOW does not list it/)
      assert.match(String(refused.error.facts.hint), /(EGRESS|MCP)_ALLOW=10\.1\.2\.3/)
    })
  }

function inputsOf(card: NodeCard, input: string): Record<string, unknown> {
  const scheme = card.name === 'sqlDatabaseChain' ? 'postgresql' : 'http'
  const address = input === 'host' ? '10.1.2.3' : `${scheme}://10.1.2.3:9/v1/x`
  const own = card.fields[input]!.type === 'json' ? JSON.stringify({ url: address }) : address
  const names = Object.entries(card.fields).flatMap(([name, { type, fallback }]) =>
    type === 'string' && !fallback && /model|index|collection|database|table/i.test(name)
      ? [[name, 'm'] as const]
      : [],
  )
  return {
    ...Object.fromEntries(names),
    credential: 'c',
    inputType: 'link',
    databaseType: 'postgresql',
    database: 'postgres',
    [input]: own,
  }
}
