import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { importFlow } from '../../src/flow/import/import.ts'
import { catalog } from '../../src/nodes/catalog.ts'

const corpus = process.env.SLUICE_CORPUS

/** Nodes of the example flows that are not in the box. */
const FOREIGN: Record<string, string[]> = {
  'Conversational Retrieval QA Chain.json': ['chatMistralAI', 'documentStore'],
  'Human In The Loop.json': ['gmail', 'googleCustomSearch'],
  'Tool Agent.json': ['calculator', 'serpAPI'],
}

if (corpus === undefined) {
  test('real exports of Flowise import', (t) => t.diagnostic('not run: SLUICE_CORPUS is not set'))
} else {
  const folder = path.join(corpus, 'flows')
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json')))
    test(`importFlow() takes ${file} and names every node that is not in the box`, () => {
      const exported: unknown = JSON.parse(readFileSync(path.join(folder, file), 'utf8'))
      const { report } = importFlow(exported, { catalog, credentials: new Set() })
      const foreign = new Set(report.unsupported.map(({ name }) => name))
      assert.deepEqual([...foreign].sort(), FOREIGN[file] ?? [])
      assert.equal(report.supported, foreign.size === 0)
    })
}
