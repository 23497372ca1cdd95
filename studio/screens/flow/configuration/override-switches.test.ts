import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../drawing/flow-file.ts'
import {
  areOverridesOpen,
  isEnabled,
  isOptionEnabled,
  isVariableEnabled,
  setEnabled,
  setOptionEnabled,
  setOverridesOpen,
  setVariableEnabled,
  type SwitchedNode,
} from './override-switches.ts'

const size = { name: 'size', label: 'Size', type: 'number', guard: null }
const url = { name: 'url', label: 'URL', type: 'string', guard: 'url' }
const a: SwitchedNode = { id: 'a_0', label: 'A', inputs: [size, url] }
const twin: SwitchedNode = { id: 'a_1', label: 'A', inputs: [size] }
const b: SwitchedNode = { id: 'b_0', label: 'B', inputs: [size, url] }
const all = [a, twin, b]
const sizes = (apiConfig: JsonObject) => all.map((node) => isEnabled(apiConfig, node, size))
const gate = (nodes: JsonObject): JsonObject => ({
  rateLimit: { status: true },
  overrideConfig: { status: true, nodes },
})

test('setEnabled() writes under the label of a node, or under its id where the label is not its own', () => {
  const one = setEnabled({}, all, b, size, true)
  assert.deepEqual(one, {
    overrideConfig: {
      status: true,
      nodes: { B: [{ label: 'Size', name: 'size', type: 'number', enabled: true }] },
    },
  })
  const two = setEnabled(one, all, twin, size, true)
  assert.deepEqual(sizes(two), [false, true, true])
  assert.deepEqual(sizes(setEnabled(two, all, twin, size, false)), [false, false, true])
})

test('setEnabled() keeps the input of other nodes where a row counted for them too', () => {
  const starred = gate({ '*': [{ name: 'size', enabled: true }] })
  assert.deepEqual(sizes(starred), [true, true, true])
  assert.deepEqual(sizes(setEnabled(starred, all, b, size, false)), [true, true, false])
  const labelled = gate({ A: [{ name: 'size', enabled: true }] })
  const after = setEnabled(labelled, all, a, size, false)
  assert.deepEqual(sizes(after), [false, true, false])
  assert.deepEqual(after.rateLimit, { status: true })
})

test('isEnabled() does not count * for guarded inputs, but for files', () => {
  const starred = gate({ '*': [url, { name: 'files' }].map(({ name }) => ({ name, enabled: true })) })
  assert.equal(isEnabled(starred, a, url), false)
  assert.equal(isEnabled(starred, a, { name: 'files', label: 'Files', type: 'file', guard: 'path' }), true)
})

test('setOverridesOpen() keeps what is enabled one by one', () => {
  const closed = setOverridesOpen(gate({ B: [{ name: 'size', enabled: true }] }), false)
  assert.equal(areOverridesOpen(closed), false)
  assert.deepEqual(sizes(closed), [false, false, true])
  assert.equal(areOverridesOpen({}), false)
})

test('setVariableEnabled() switches a variable', () => {
  const on = setVariableEnabled({}, 'city', true)
  assert.deepEqual([isVariableEnabled(on, 'city'), isVariableEnabled(on, 'river')], [true, false])
  assert.equal(isVariableEnabled(setVariableEnabled(on, 'city', false), 'city'), false)
})

test('setOptionEnabled() closes an option wherever it is enabled', () => {
  const option = { name: 'returnSourceDocuments', label: 'Return', type: 'boolean' }
  const on = setOptionEnabled({}, option, true)
  assert.equal(isOptionEnabled(on, option.name), true)
  assert.deepEqual(on.overrideConfig, { status: true, nodes: { '*': [{ ...option, enabled: true }] } })
  const labelled = gate({
    A: [
      { name: option.name, enabled: true },
      { name: 'size', enabled: true },
    ],
  })
  const off = setOptionEnabled(labelled, option, false)
  assert.deepEqual([isOptionEnabled(off, option.name), isEnabled(off, a, size)], [false, true])
})
