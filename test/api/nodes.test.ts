import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inputsOf, nodesOf } from '../../studio/drawing/flow-file.ts'
import { addNode } from '../../studio/drawing/commands.ts'
import type { NodeKindAnswer } from '../../src/api/node.ts'
import { readValues } from '../../src/flow/assemble.ts'
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

test('GET /nodes tells what a new record manager begins with, and what a flow file without a value means [nodes:initial]', async () => {
  const { body } = await platform.manage<NodeKindAnswer[]>('GET', '/api/v1/nodes')
  const managers = body.filter(({ part }) => part === 'recordManager')
  assert.ok(managers.length >= 3)
  for (const kind of managers) {
    const cleanup = kind.inputs.find(({ name }) => name === 'cleanup')
    assert.partialDeepStrictEqual(cleanup!, { default: 'none', initial: 'incremental' }, kind.name)
    // As the canvas adds it.
    const drawn = addNode({ nodes: [], edges: [] }, kind, { x: 0, y: 0 }).apply({ nodes: [], edges: [] })
    assert.equal(inputsOf(nodesOf(drawn)[0]!).cleanup, 'incremental', kind.name)
    const card = catalog.get(kind.name)!
    assert.equal(readValues(card, { ...nodeOf(kind), inputs: {} }).cleanup, 'none', kind.name)
  }
  assert.ok(
    body.every(({ inputs }) => inputs.every(({ initial }) => initial === undefined || initial !== '')),
  )
})

const nodeOf = ({ name, label, category }: NodeKindAnswer) => ({ id: name, name, label, category })

test('GET /nodes gives each node an icon with a colour, and its ways out', async () => {
  type Kind = Node & { icon: string; colour: string; outputs: { label: string; each?: string }[] }
  const { body } = await platform.manage<Kind[]>('GET', '/api/v1/nodes')
  const outputs = Object.fromEntries(body.map((kind) => [kind.name, kind.outputs]))
  assert.deepEqual(outputs.builtInVectorStore, [{ label: 'BuiltInVectorStore' }])
  assert.deepEqual(outputs.llmAgentflow, [{ label: 'Next' }])
  assert.deepEqual(outputs.conditionAgentflow, [
    { label: 'Condition', each: 'conditions' },
    { label: 'Else' },
  ])
  assert.deepEqual(outputs.directReplyAgentflow, [])
  for (const { name, icon, colour } of body) {
    assert.match(icon, /^[a-z0-9-]+$/, name)
    assert.match(colour, /^[a-z]+$/, name)
  }
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

const description = `
openapi: 3.0.0
servers: [{ url: 'https://{r}.example', variables: { r: { default: eu } } }]
paths:
  /a: { get: { operationId: listA, summary: Lists }, post: { parameters: [{ $ref: '#/none' }] } }
  /b: { $ref: '#/none' }
`
const openApiFile = `data:text/yaml;base64,${Buffer.from(description).toString('base64')},filename:a.yaml`
const choices = (loadMethod: string, inputs: object, name = 'openAPIToolkit') =>
  platform.manage<{ label: string; name: string; code?: string }[]>(
    'POST',
    `/api/v1/node-load-method/${name}`,
    {
      name,
      loadMethod,
      inputs,
    },
  )

test('POST /node-load-method/:name lists servers and endpoints of an API, and reports what became of each [openapi:toolkit]', async () => {
  const inputs = { inputType: 'file', openApiFile }
  assert.deepEqual((await choices('listServers', inputs)).body, [
    { label: 'https://eu.example', name: 'https://eu.example' },
  ])
  const { body } = await choices('listEndpoints', inputs)
  const tokens = body.map((choice) => (choice as { tokens?: number }).tokens)
  assert.ok(tokens[0]! > 10 && tokens[2] === 0, String(tokens))
  assert.deepEqual(
    body.map((choice) => ({ ...choice, tokens: 0 })),
    [
      { label: 'GET /a', name: 'listA', description: 'Lists', tokens: 0, notes: [] },
      {
        label: 'POST /a',
        name: 'post_a',
        description: 'POST /a',
        tokens: 0,
        notes: ['the parameter #/none is left out: #/none does not exist'],
      },
      {
        label: '* /b',
        name: '* /b',
        description: '',
        tokens: 0,
        notes: [],
        refused: '#/none does not exist',
      },
    ],
  )
})

for (const [what, name, loadMethod, inputs, status, code] of [
  ['a node that is not there', 'none', 'listServers', {}, 404, 'node_not_found'],
  ['a list that is not there', 'openAPIToolkit', 'constructor', {}, 400, 'body_invalid'],
  ['a node without lists', 'toolAgent', 'listServers', {}, 400, 'body_invalid'],
  ['inputs that hold no description', 'openAPIToolkit', 'listServers', {}, 422, 'input_invalid'],
  [
    'a file that is no description',
    'openAPIToolkit',
    'listServers',
    { yamlFile: 'data:;base64,YQ==' },
    422,
    'description_unusable',
  ],
] as const)
  test(`POST /node-load-method/:name answers ${status} for ${what}`, async () => {
    const answer = await choices(loadMethod, inputs, name)
    assert.deepEqual([answer.status, (answer.body as { code?: string }).code], [status, code])
  })
