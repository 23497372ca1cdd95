import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from '../../src/nodes/catalog.ts'
import { writeFlowExport } from '../../src/flow/export/export-flow.ts'

const exported = (name: string, inputs: Record<string, unknown>) => {
  const flowData = JSON.stringify({
    nodes: [{ id: 'n', data: { id: 'n', name, label: 'N', inputs } }],
    edges: [],
  })
  const { file, leftOut } = writeFlowExport(
    { name: 'F', type: 'CHATFLOW', flowData, config: {}, apiKeyId: null },
    catalog,
  )
  const [node] = file.nodes as { data: { inputs: Record<string, unknown> } }[]
  return { inputs: node!.data.inputs, leftOut, file }
}

const HIDDEN = 'hidden-value-of-a-header'

for (const [how, name, input, given, left] of [
  ['rows', 'httpAgentflow', 'headers', [{ key: 'X-Team', value: HIDDEN }], [{ key: 'X-Team', value: '' }]],
  [
    'an object',
    'httpAgentflow',
    'headers',
    { 'X-Team': HIDDEN, accept: 'a/b' },
    { 'X-Team': '', accept: 'a/b' },
  ],
  ['JSON text', 'requestsGet', 'requestsGetHeaders', `{"X-Team":"${HIDDEN}"}`, '{"X-Team":""}'],
  [
    'text as people write it',
    'requestsGet',
    'requestsGetHeaders',
    `{'X-Team': '${HIDDEN}',}`,
    '{"X-Team":""}',
  ],
  [
    'JSON rows',
    'requestsGet',
    'requestsGetHeaders',
    `[{"key":"X-Team","value":"${HIDDEN}"}]`,
    '[{"key":"X-Team","value":""}]',
  ],
  ['text that is no JSON', 'requestsGet', 'requestsGetHeaders', `X-Team: ${HIDDEN}`, ''],
  [
    'options',
    'chatOpenAI',
    'baseOptions',
    { headers: { 'X-Team': HIDDEN }, timeout: 5 },
    { headers: { 'X-Team': '' }, timeout: 5 },
  ],
  [
    'a place beside a secret',
    'httpAgentflow',
    'headers',
    { 'X-Team': `${HIDDEN} {{$vars.x}}` },
    { 'X-Team': '' },
  ],
] as const)
  test(`writeFlowExport leaves out values of headers written as ${how}, and names them [export:no-headers]`, () => {
    const { inputs, leftOut, file } = exported(name, { [input]: given })
    assert.deepEqual(inputs[input], left)
    assert.deepEqual(leftOut, [{ node: 'N', input }])
    assert.deepEqual(file.sluice.leftOut, leftOut)
    assert.ok(!JSON.stringify(file).includes(HIDDEN))
  })

test('writeFlowExport keeps headers that are filled in when the flow runs, or hold no secret [export:no-headers]', () => {
  const headers = [
    { key: 'Authorization', value: '<p>Bearer {{$vars.token}}</p>' },
    { key: 'Content-Type', value: 'application/json' },
  ]
  const { inputs, leftOut } = exported('httpAgentflow', { headers })
  assert.deepEqual([inputs.headers, leftOut], [headers, []])
})

test('writeFlowExport keeps a choice whose input has a name like headers [export:no-headers]', () => {
  const { inputs, leftOut } = exported('markdownTextSplitter', { splitByHeaders: 'h2' })
  assert.deepEqual([inputs.splitByHeaders, leftOut], ['h2', []])
})
