import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { type Imported, importExport } from '../../src/flow/import/import.ts'
import { catalog } from '../../src/nodes/catalog.ts'

const corpus = process.env.SLUICE_CORPUS

/** What the example flows refer to and an export does not hold. */
const MISSING: Record<string, string[]> = {
  'Conversational Retrieval QA Chain.json': ['selectedStore: '],
  'OpenAPI YAML Agent.json': ['openApiFile: '],
  'Simple RAG.json': ['agentKnowledgeDocumentStores: 25429b8f-0377-4762-9cda-0d5366cf022c:AI-Paper'],
}

if (corpus === undefined) {
  test('real exports of Flowise import', { skip: 'SLUICE_CORPUS is not set' })
} else {
  const folder = path.join(corpus, 'flows')
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json')))
    test(`importExport() takes ${file} and names all that is not in the box`, () => {
      const exported: unknown = JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
      const [{ report }] = importExport(exported, {
        catalog,
        credentials: new Set(),
        flows: new Set(),
      }).flows as [Imported]
      const foreign = new Set(report.unsupported.map(({ name }) => name))
      assert.deepEqual([...foreign], [])
      const missing = report.missing.map(({ input, named }) => `${input}: ${named}`)
      assert.deepEqual(missing, MISSING[file] ?? [])
      assert.equal(report.supported, missing.length === 0)
    })
}
