import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from '../../src/nodes/catalog.ts'
import { makePlatform } from '../support/platform.ts'

type Node = { name: string; inputs: { name: string; type: string; default?: unknown }[] }
type Param = { node: string; nodeId: string; name: string; type: string }

const platform = await makePlatform()

test('GET /nodes names every node in the box with its inputs', async () => {
  const { body } = await platform.manage<Node[]>('GET', '/api/v1/nodes')
  assert.deepEqual(new Set(body.map(({ name }) => name)), new Set(catalog.keys()))
  const splitter = body.find(({ name }) => name === 'recursiveCharacterTextSplitter')!
  assert.deepEqual(
    splitter.inputs.map(({ name, default: value }) => [name, value]),
    [
      ['chunkSize', 1000],
      ['chunkOverlap', 200],
      ['separators', ''],
    ],
  )
})

test('GET /nodes/:name gives one node, and 404 for a node that is not there', async () => {
  const found = await platform.manage<Node>('GET', '/api/v1/nodes/pdfFile')
  assert.equal(found.body.name, 'pdfFile')
  const missing = await platform.manage<{ code: string }>('GET', '/api/v1/nodes/constructor')
  assert.deepEqual([missing.status, missing.body.code], [404, 'node_not_found'])
})

test('GET /flow-config/:id lists what can be opened to requests; every file input is named files', async () => {
  const { body } = await platform.manage<Param[]>('GET', '/api/v1/flow-config/quickstart')
  const names = (nodeId: string) => body.filter((param) => param.nodeId === nodeId).map(({ name }) => name)
  assert.ok(names('fileLoader_0').includes('files') && !names('fileLoader_0').includes('file'))
  assert.ok(names('builtInVectorStore_0').includes('topK'))
  assert.equal((await platform.manage('GET', '/api/v1/flow-config/none')).status, 404)
})
