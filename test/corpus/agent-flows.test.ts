import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { importFlow } from '../../src/flow/import/import.ts'
import { SluiceError } from '../../src/kit/errors.ts'
import { catalog } from '../../src/nodes/catalog.ts'
import { agentHouse } from '../support/agent-house.ts'

const corpus = process.env.SLUICE_CORPUS

/** What the example flows lack: a node that is not in the box, a file or another flow that an export does not hold. */
const LACKS: Record<string, string> = {
  'Conversational Retrieval QA Chain.json': 'node_unknown',
  'Human In The Loop.json': 'node_unknown',
  'OpenAPI YAML Agent.json': 'input_invalid',
  'Simple RAG.json': 'flow_cannot_answer',
  'Tool Agent.json': 'node_unknown',
}

if (corpus === undefined) {
  test('real exports of Flowise are made ready to answer', (t) =>
    t.diagnostic('not run: SLUICE_CORPUS is not set'))
} else {
  const { predictor } = agentHouse({})
  const folder = path.join(corpus, 'flows')
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json')))
    test(`prepare() makes ${file} ready, or says what it lacks`, async () => {
      const exported: unknown = JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
      const { flowData } = importFlow(exported, { catalog, credentials: new Set() })
      const flow = { id: 'flow', flowData: JSON.stringify(flowData), apiConfig: {} }
      const ask = { question: 'Hello', chatId: 'chat', history: [], uploads: [], overrides: {} }
      const code = await predictor.prepare(flow, ask).then(
        () => undefined,
        (error: unknown) => (error instanceof SluiceError ? error.code : assert.fail(String(error))),
      )
      assert.equal(code, LACKS[file])
    })
}
