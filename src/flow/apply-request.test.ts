import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawn, plug, smallCatalog, smallDrawing } from '../../test/support/small-catalog.ts'
import { SluiceError } from '../kit/errors.ts'
import type { JsonObject } from '../kit/json.ts'
import { readOverrideGate } from './api-config.ts'
import { readGraph } from './graph.ts'
import { applyOverrides } from './apply-request.ts'

/** What a flow opens: names by node label or id, or under `*`. */
const configOf = (open: Record<string, string[]>, status: unknown = true) => ({
  overrideConfig: {
    status,
    nodes: Object.fromEntries(
      Object.entries(open).map(([key, names]) => [key, names.map((name) => ({ name, enabled: true }))]),
    ),
  },
})

/** Lays overrides over the small flow; answers inputs by node, applied keys and warnings as `key: reason`. */
function override(overrides: JsonObject, apiConfig: unknown, drawing: unknown = smallDrawing()) {
  const graph = readGraph(drawing)
  const taking = [...graph.nodes.values()]
  const gate = readOverrideGate(apiConfig)
  const { nodes, options, applied, warnings } = applyOverrides(graph, taking, smallCatalog, gate, overrides)
  return {
    inputs: (id: string) => nodes.get(id)!.inputs,
    options,
    applied: [...applied],
    warnings: warnings.map(({ key, reason }) => `${key}: ${reason}`),
  }
}

const CLOSED = 'this flow does not allow overriding it'
const ALL_CLOSED = 'this flow does not allow any overrides'
const UNKNOWN = 'no node of this flow has such an input'

for (const [name, key, open, allowed] of [
  ['its label', 'chunkSize', { 'My Splitter': ['chunkSize'] }, true],
  ['its id', 'chunkSize', { splitter_0: ['chunkSize'] }, true],
  ['the star', 'chunkSize', { '*': ['chunkSize'] }, true],
  ['another node', 'chunkSize', { loader_0: ['chunkSize'] }, false],
  ['another input', 'chunkSize', { splitter_0: ['chunkOverlap'] }, false],
  ['the star, for a credential', 'apiKey', { '*': ['apiKey'] }, false],
  ['its id, for a credential', 'apiKey', { embedder_0: ['apiKey'] }, true],
  ['the star, for a URL', 'url', { '*': ['url'] }, false],
  ['the star, for a table', 'namespace', { '*': ['namespace'] }, false],
  ['its label, for a table', 'namespace', { store_0: ['namespace'] }, true],
  ['files under the star, for a file', 'txtFile', { '*': ['files'] }, true],
  ['the name of a file input under the star', 'txtFile', { '*': ['txtFile'] }, false],
] as [string, string, Record<string, string[]>, boolean][])
  test(`the gate opened by ${name} ${allowed ? 'lets' : 'does not let'} ${key} through`, () => {
    const drawing = smallDrawing()
    drawing.nodes[0]!.data.label = 'My Splitter'
    const { applied, warnings } = override({ [key]: '500' }, configOf(open), drawing)
    assert.deepEqual([applied, warnings], allowed ? [[key], []] : [[], [`${key}: ${CLOSED}`]])
  })

for (const [name, apiConfig] of [
  ['is not there', undefined],
  ['is no JSON', '{'],
  ['is switched off', configOf({ '*': ['chunkSize'] }, false)],
  ['has status as text', configOf({ '*': ['chunkSize'] }, 'true')],
  ['has no status', { overrideConfig: { nodes: { '*': [{ name: 'chunkSize', enabled: true }] } } }],
] as [string, unknown][])
  test(`the gate stays shut where its configuration ${name}`, () => {
    assert.deepEqual(override({ chunkSize: 1 }, apiConfig).warnings, [`chunkSize: ${ALL_CLOSED}`])
  })

test('the gate counts only rows that are enabled, and reads its configuration as text too', () => {
  const nodes = {
    splitter_0: [
      { name: 'chunkSize', enabled: false },
      { name: 'chunkOverlap', enabled: true },
    ],
  }
  const apiConfig = JSON.stringify({ overrideConfig: { status: true, nodes } })
  const { applied, warnings } = override({ chunkSize: 500, chunkOverlap: 1 }, apiConfig)
  assert.deepEqual([applied, warnings], [['chunkOverlap'], [`chunkSize: ${CLOSED}`]])
})

const OPEN = configOf({
  '*': ['chunkSize', 'chunkOverlap', 'metadata', 'notes', 'deep', 'topK', 'filter', 'textSplitter'],
})

test('applyOverrides() reads values as their inputs do, the falsy ones too, and passes over null', () => {
  const given = { chunkSize: '500', chunkOverlap: 0, deep: false, notes: '', topK: null }
  const { inputs, applied, warnings } = override(
    given,
    OPEN,
    smallDrawing({ loader_0: { notes: 'old', deep: true } }),
  )
  assert.deepEqual(inputs('splitter_0'), { chunkSize: 500, chunkOverlap: 0 })
  assert.equal(inputs('loader_0').deep, false)
  assert.equal(inputs('loader_0').notes, '')
  assert.ok(!('topK' in inputs('store_0')))
  assert.deepEqual([applied, warnings], [['chunkSize', 'chunkOverlap', 'deep', 'notes'], []])
})

test('applyOverrides() merges an object into the one of the flow, whether either is text', () => {
  const before = { loader_0: { metadata: '{"a":1,"b":1}' } }
  for (const metadata of [{ b: 2, c: 2 }, '{"b":2,"c":2}'])
    assert.deepEqual(override({ metadata }, OPEN, smallDrawing(before)).inputs('loader_0').metadata, {
      a: 1,
      b: 2,
      c: 2,
    })
})

test('applyOverrides() lets objects through the same gate as everything else', () => {
  const { inputs, warnings } = override(
    { metadata: { a: 1 }, filter: { b: 1 } },
    configOf({ '*': ['filter'] }),
  )
  assert.ok(!('metadata' in inputs('loader_0')))
  assert.deepEqual(inputs('store_0').filter, { b: 1 })
  assert.deepEqual(warnings, [`metadata: ${CLOSED}`])
})

test('applyOverrides() gives each node its own value where the object names nodes', () => {
  const drawing = smallDrawing()
  drawing.nodes.push(
    drawn('splitter_1', { chunkSize: 7 }),
    drawn('loader_1', { textSplitter: plug('splitter_1') }),
  )
  const { inputs, applied } = override(
    { chunkSize: { splitter_0: 500 }, metadata: { loader_1: { a: 1 } } },
    OPEN,
    drawing,
  )
  assert.equal(inputs('splitter_0').chunkSize, 500)
  assert.equal(inputs('splitter_1').chunkSize, 7)
  assert.deepEqual(inputs('loader_1').metadata, { a: 1 })
  assert.ok(!('metadata' in inputs('loader_0')))
  assert.deepEqual(applied, ['chunkSize', 'metadata'])
})

test('applyOverrides() sets an input on every open node that has it, and changes no node of the flow', () => {
  const drawing = smallDrawing()
  drawing.nodes.push(drawn('splitter_1'))
  const graph = readGraph(drawing)
  const gate = readOverrideGate(OPEN)
  const { nodes } = applyOverrides(graph, [...graph.nodes.values()], smallCatalog, gate, { chunkSize: 9 })
  assert.deepEqual(
    ['splitter_0', 'splitter_1'].map((id) => nodes.get(id)!.inputs.chunkSize),
    [9, 9],
  )
  assert.ok(!('chunkSize' in graph.nodes.get('splitter_0')!.inputs))
})

test('applyOverrides() names every key that had no effect, with its reason', () => {
  const given = {
    nonsense: 1,
    textSplitter: 'x',
    chunkSize: { loader_0: 5 },
    constructor: 1,
    returnSourceDocuments: true,
    addMetadata: { a: 1 },
    url: 'http://x',
  }
  assert.deepEqual(override(given, OPEN).warnings, [
    `nonsense: ${UNKNOWN}`,
    'textSplitter: it is a connection between nodes, not an input',
    'chunkSize: none of the nodes it names has such an input',
    `constructor: ${UNKNOWN}`,
    `returnSourceDocuments: ${CLOSED}`,
    `addMetadata: ${CLOSED}`,
    `url: ${CLOSED}`,
  ])
})

test('applyOverrides() never gates the options of the request', () => {
  const { options, applied, warnings } = override(
    { strict: true, dryRun: 'true', confirmFullCleanup: false },
    undefined,
  )
  assert.deepEqual(options, {
    strict: true,
    dryRun: true,
    confirmFullCleanup: false,
    returnSourceDocuments: false,
    addMetadata: {},
  })
  assert.deepEqual([applied, warnings], [[], []])
})

for (const where of ['*', 'loader_0', 'a node that is not even there'])
  test(`applyOverrides() takes returnSourceDocuments and addMetadata where the list of ${where} holds them`, () => {
    const apiConfig = configOf({ [where]: ['returnSourceDocuments', 'addMetadata'] })
    const given = { returnSourceDocuments: 'true', addMetadata: '{"a":1}' }
    const { options, warnings } = override(given, apiConfig)
    assert.deepEqual([options.returnSourceDocuments, options.addMetadata, warnings], [true, { a: 1 }, []])
  })

for (const [key, value] of [
  ['chunkSize', 'many'],
  ['chunkSize', ''],
  ['chunkSize', 0],
  ['chunkSize', 1.5],
  ['chunkSize', { splitter_0: 'many' }],
  ['deep', 'perhaps'],
  ['metadata', '{'],
  ['metadata', [1]],
  ['notes', true],
  ['strict', 1],
  ['dryRun', 'maybe'],
  ['returnSourceDocuments', {}],
  ['addMetadata', 'x'],
] as [string, JsonObject[string]][])
  test(`applyOverrides() refuses ${key} = ${JSON.stringify(value)} by name`, () => {
    const apiConfig = configOf({ '*': [key, 'chunkSize'] })
    assert.throws(
      () => override({ [key]: value }, apiConfig),
      (error: unknown) =>
        error instanceof SluiceError && error.code === 'override_invalid' && error.facts.key === key,
    )
  })

test('applyOverrides() does not look at the value of a key that is closed', () => {
  assert.deepEqual(override({ chunkSize: 'many' }, configOf({})).warnings, [`chunkSize: ${CLOSED}`])
})
