import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import type { Tool } from '../../src/contract/tool.ts'
import { type Imported, importExport } from '../../src/flow/import/import.ts'
import { SluiceError } from '../../src/kit/errors.ts'
import type { JsonObject } from '../../src/kit/json.ts'
import { catalog } from '../../src/nodes/catalog.ts'
import { agentRuntime } from '../support/agent-runtime.ts'
import { scriptedModel } from '../support/scripted-model.ts'

const corpus = process.env.SLUICE_CORPUS

/** What the example flows lack: a file or another flow that an export does not hold. */
const LACKS: Record<string, string> = {
  'OpenAPI YAML Agent.json': 'input_invalid',
  'Simple RAG.json': 'flow_cannot_answer',
}

if (corpus === undefined) {
  test('real exports of Flowise are made ready to answer', { skip: 'SLUICE_CORPUS is not set' })
} else {
  const { predictor } = agentRuntime({})
  const folder = path.join(corpus, 'flows')
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json')))
    test(`prepare() makes ${file} ready, or names what is missing`, async () => {
      const exported: unknown = JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
      const [{ flowData }] = importExport(exported, {
        catalog,
        credentials: new Set(),
        flows: new Set(),
      }).flows as [Imported]
      const flow = { id: 'flow', flowData: JSON.stringify(flowData), apiConfig: {} }
      const ask = { question: 'Hello', chatId: 'chat', history: [], uploads: [], overrides: {} }
      const code = await predictor.prepare(flow, ask).then(
        () => undefined,
        (error: unknown) => (error instanceof SluiceError ? error.code : assert.fail(String(error))),
      )
      assert.equal(code, LACKS[file])
    })

  test('Human In The Loop runs as it is drawn, with our tools in the place of those of Google', async () => {
    const sent: JsonObject[] = []
    const mail: Tool = {
      name: 'mail',
      description: 'Sends a mail',
      parameters: { type: 'object' },
      async call(input) {
        sent.push(input)
        return { output: 'sent' }
      },
    }
    const model = scriptedModel(
      'Dear Ada, no.',
      'Dear Ada, yes.',
      '{"subject": "Yes", "body": "Dear Ada, yes."}',
    )
    const { ask } = agentRuntime({ models: { model }, tools: [mail] })
    const text = readFileSync(path.join(folder, 'Human In The Loop.json'), 'utf8')
    const drawing = JSON.parse(
      text
        .replaceAll(/"(agent|llm)Model": *"chatOpenAI"/g, '"$1Model": "scripted"')
        .replaceAll('"googleCustomSearch"', '"currentDateTime"')
        .replaceAll('"gmail"', '"props"'),
    ) as object
    const form = { subject: 'Visit', body: 'May I come?', from: 'ada@example.org' }

    const first = await ask(drawing, { question: '', form })
    assert.deepEqual(
      [first.text, first.action?.data.nodeLabel],
      ['Are you sure you want to proceed?', 'Human Input 0'],
    )
    const again = await ask(drawing, { humanInput: { type: 'reject', feedback: 'Be kinder' } })
    assert.equal(again.action?.data.nodeLabel, 'Human Input 0')
    assert.match(JSON.stringify(model.requests[1]!.messages), /Be kinder/)
    const last = await ask(drawing, { humanInput: { type: 'proceed' } })
    assert.equal(last.text, 'sent')
    assert.deepEqual(sent, [{ to: 'ada@example.org', subject: 'Yes', body: 'Dear Ada, yes.' }])
  })
}
