import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from './catalog.ts'
import { INSTEAD_BY_NAME, INSTEAD_OF, INSTEAD_OF_CATEGORY, insteadOfNode } from '../flow/check/instead.ts'

const NODES = /\b(?:[a-z]+[A-Z]\w*|[A-Z]\w*Retriever|[A-Z]\w*Manager)\b/g

/** Words of advice that look like names of nodes and are none. */
const OTHER_WORDS = new Set(['conversationId', 'flowId', 'GitHub', 'LlamaIndex', 'LocalAI', 'OpenAI'])

test('advice is about nodes that are not here, and names nodes that are', () => {
  assert.deepEqual(
    Object.keys(INSTEAD_OF).filter((name) => catalog.has(name)),
    [],
  )
  const texts = [
    ...Object.values(INSTEAD_OF),
    ...Object.values(INSTEAD_OF_CATEGORY),
    ...INSTEAD_BY_NAME.map(([, text]) => text),
  ]
  const named = new Set(texts.flatMap((text) => text.match(NODES) ?? []))
  assert.deepEqual(
    [...named].filter((name) => !catalog.has(name) && !OTHER_WORDS.has(name)),
    [],
  )
  assert.ok(named.size > 20)
})

test('insteadOfNode() advises by name, by a pattern of the name, by category, or in general', () => {
  assert.equal(insteadOfNode('chatGroq_LlamaIndex', ''), 'Use the node of the same name without LlamaIndex')
  assert.match(insteadOfNode('csvAgent', ''), /^Use sqlDatabaseChain/)
  assert.match(insteadOfNode('duckDuckGoSearch', ''), /^Use serper, serpAPI, googleCustomSearch/)
  assert.match(insteadOfNode('milvus', 'Vector Stores'), /^Use builtInVectorStore/)
  assert.match(insteadOfNode('toString', 'constructor'), /GET \/api\/v1\/nodes/)
})
