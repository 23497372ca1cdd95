import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FlowRequests } from '../../../server/flow-requests.ts'
import { overrideConfigOf, overrideRows, reasonText } from './chosen-overrides.ts'

const input = (name: string, more: object = {}) => ({
  ...{ name, label: name, type: 'number', guard: null, enabled: true, reason: null, value: 1 },
  ...more,
})
const requests = {
  nodes: [
    {
      id: 'a_0',
      name: 'a',
      label: 'A',
      requests: ['upsert'],
      inputs: [input('size'), input('files', { type: 'file' })],
    },
    { id: 'a_1', name: 'a', label: 'A two', requests: ['upsert'], inputs: [input('size')] },
    {
      id: 's_0',
      name: 's',
      label: 'S',
      requests: ['upsert', 'query'],
      inputs: [
        input('topK'),
        input('meta', { type: 'json' }),
        input('key', { enabled: false, reason: 'not_enabled', guard: 'credential', value: null }),
      ],
    },
  ],
  options: [{ name: 'returnSourceDocuments', enabled: true, reason: null }],
  variables: [{ name: 'city', enabled: true, reason: null }],
} as unknown as FlowRequests

test('overrideRows() has the inputs of the nodes that take part, without files', () => {
  assert.deepEqual(
    overrideRows(requests, 'upsert-files').map(({ key }) => key),
    ['a_0.size', 'a_1.size', 's_0.topK', 's_0.meta', 's_0.key', 'returnSourceDocuments'],
  )
  assert.deepEqual(
    overrideRows(requests, 'query').map(({ key }) => key),
    ['s_0.topK', 's_0.meta', 's_0.key', 'vars.city'],
  )
})

test('overrideConfigOf() gives an input of several nodes a value for each, and leaves out what is not allowed', () => {
  const rows = overrideRows(requests, 'upsert-json')
  const chosen = {
    'a_1.size': 5,
    's_0.topK': 3,
    's_0.key': 'x',
    's_0.meta': '{"a":1}',
    returnSourceDocuments: true,
  }
  assert.deepEqual(overrideConfigOf(rows, chosen), {
    size: { a_1: 5 },
    topK: 3,
    meta: { a: 1 },
    returnSourceDocuments: true,
  })
  assert.deepEqual(overrideConfigOf(overrideRows(requests, 'query'), { 'vars.city': 'Bergen' }), {
    vars: { city: 'Bergen' },
  })
})

test('reasonText() says why an override has no effect', () => {
  assert.equal(reasonText({ reason: 'overrides_off', guard: null }), 'This flow allows no overrides')
  assert.match(reasonText({ reason: 'not_by_star', guard: 'url' }), /does not count for an address/)
  assert.match(reasonText({ reason: 'not_enabled', guard: 'credential' }), /a secret needs a permission/)
})
