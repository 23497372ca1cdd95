import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formFieldsOf, jsonBodyOf, pathOf, type SampleRequest } from './sample-request.ts'
import { sampleOf } from './samples.ts'

const request: SampleRequest = {
  kind: 'upsert-files',
  origin: 'http://127.0.0.1:3000',
  flow: 'my flow',
  needsKey: false,
  question: 'When?',
  files: ['a.txt'],
  stopNodeId: undefined,
  overrides: {},
}

test('pathOf() and jsonBodyOf() have the route and the body of each kind of request', () => {
  const of = (kind: SampleRequest['kind'], more: Partial<SampleRequest> = {}) => {
    const one = { ...request, flow: 'f', kind, ...more }
    return [pathOf(one), jsonBodyOf(one)]
  }
  assert.equal(pathOf(request), '/api/v1/vector/upsert/my%20flow')
  assert.deepEqual(of('upsert-json', { stopNodeId: 's_0' }), [
    '/api/v1/vector/upsert/f',
    { stopNodeId: 's_0' },
  ])
  assert.deepEqual(of('query', { overrides: { topK: 2 } }), [
    '/api/v1/vector/query/f',
    { query: 'When?', overrideConfig: { topK: 2 } },
  ])
  assert.deepEqual(of('ask', { stopNodeId: 's_0' }), ['/api/v1/prediction/f', { question: 'When?' }])
  assert.deepEqual(of('ask-streamed')[1], { question: 'When?', streaming: true })
})

test('formFieldsOf() writes values for single nodes in brackets', () => {
  const overrides = { chunkSize: { splitter_0: 500 }, metadata: { a: 1 }, on: true, text: '@x' }
  assert.deepEqual(formFieldsOf({ ...request, overrides, stopNodeId: 's' }, new Set(['splitter_0'])), [
    ['stopNodeId', 's'],
    ['chunkSize[splitter_0]', '500'],
    ['metadata', '{"a":1}'],
    ['on', 'true'],
    ['text', '@x'],
  ])
})

test('sampleOf() has the key in a header only where the flow needs one', () => {
  for (const language of ['curl', 'python', 'javascript'] as const) {
    assert.doesNotMatch(sampleOf(language, request), /SLUICE_KEY|Authorization/)
    assert.match(sampleOf(language, { ...request, needsKey: true }), /Authorization[\s\S]*SLUICE_KEY/)
  }
})

test('sampleOf() writes a command that a person can read', () => {
  assert.equal(
    sampleOf('curl', { ...request, flow: 'quickstart', overrides: { chunkSize: 200 }, needsKey: true }),
    [
      'curl -sS http://127.0.0.1:3000/api/v1/vector/upsert/quickstart \\',
      '  -H "Authorization: Bearer $SLUICE_KEY" \\',
      '  -F files=@a.txt \\',
      '  --form-string chunkSize=200',
    ].join('\n'),
  )
})
