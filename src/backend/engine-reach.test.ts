import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NodeServices } from '../contract/card.ts'
import type { EngineSource } from '../contract/engine-source.ts'
import { catalog } from '../nodes/catalog.ts'
import { buildPart } from '../flow/assemble.ts'
import { engineOfRecipe } from '../flow/engine-of-recipe.ts'

const INPUTS = {
  chromaURL: 'http://127.0.0.1:8000',
  collectionName: 'docs',
  credential: 'id-1',
  document: ['x'],
}

/** Services whose outgoing calls tell with which rights they are made. */
const nodeServices = {
  egress: { forProvider: () => ({ rights: 'of an owner' }) },
  settings: { ENGINE_TIMEOUT: 1 },
} as unknown as NodeServices

/** The engine that the node of a flow names. @param typed the addresses of the drawing; absent where no request changed it */
function namedBy(typed?: ReadonlySet<string>): EngineSource {
  const card = catalog.get('chroma')!
  let found: EngineSource | undefined
  const context = {
    ...nodeServices,
    ...{ flowId: 'f', ...(typed ? { typedAddresses: typed } : {}) },
    openSeparateStore(_: string, source: EngineSource) {
      found = source
      return {}
    },
  } as unknown as Parameters<typeof buildPart>[3]
  const node = { id: 'n', name: 'chroma', label: 'Chroma', category: 'Vector Stores', inputs: INPUTS }
  const parts = { document: [], embeddings: undefined, recordManager: undefined, reranker: undefined }
  buildPart(card, node, parts, context)
  return found!
}

test('engineOfRecipe() makes the engine that a node has named, from its inputs without what plugs into it', () => {
  const { recipe, name, key } = namedBy()
  assert.deepEqual(recipe, {
    card: 'chroma',
    inputs: { chromaURL: INPUTS.chromaURL, collectionName: 'docs', credential: 'id-1' },
    byRequest: false,
  })
  const again = engineOfRecipe(recipe!, { catalog, nodeServices })
  assert.deepEqual([again.name, again.key], [name, key])
})

test('engineOfRecipe() gives an address of a request no rights of an owner', () => {
  assert.equal(namedBy(new Set([INPUTS.chromaURL])).recipe!.byRequest, false)
  const { recipe, key } = namedBy(new Set())
  assert.equal(recipe!.byRequest, true)
  assert.equal(engineOfRecipe(recipe!, { catalog, nodeServices }).key, key)
  assert.notEqual(engineOfRecipe({ ...recipe!, byRequest: false }, { catalog, nodeServices }).key, key)
})

test('engineOfRecipe() refuses a card that is not there, or is no store', () => {
  for (const card of ['nothing', 'chatOpenAI'])
    assert.throws(() => engineOfRecipe({ card, inputs: {}, byRequest: false }, { catalog, nodeServices }), {
      code: 'node_unknown',
    })
})
