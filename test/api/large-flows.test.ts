import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start, step, steps } from '../support/agent-drawing.ts'
import { makePlatform } from '../support/platform.ts'

const platform = await makePlatform()
type Problems = { problems: { code: string; message: string }[] }

/** An agent flow in which one node leads to all others. */
function wide(count: number) {
  const ids = Array.from({ length: count - 1 }, (_, number) => `directReplyAgentflow_${number}`)
  const nodes = [start(), ...ids.map((id) => step(id, { directReplyMessage: 'Hello' }))]
  return { nodes, edges: steps(...ids.map((id) => `startAgentflow_0 > ${id}`)) }
}

test('a flow with more nodes than the most is refused at save, import and check, in words [flow:size]', async () => {
  const flowData = wide(501)
  const words = /it has 501 nodes of an agent flow, the most are 500/
  for (const [path, body] of [
    ['/api/v1/chatflows', { name: 'large', flowData }],
    ['/api/v1/chatflows/import', flowData],
  ] as const) {
    const answer = await platform.manage<{ code: string; message: string }>('POST', path, body)
    assert.deepEqual([answer.status, answer.body.code], [400, 'flow_invalid'], path)
    assert.match(answer.body.message, words)
  }
  const checked = await platform.manage<Problems>('POST', '/api/v1/flows/validate', { flowData })
  assert.match(checked.body.problems[0]!.message, words)
  const small = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
    name: 'small',
    flowData: wide(2),
  })
  const saved = await platform.manage('PUT', `/api/v1/chatflows/${small.body.id}`, { flowData })
  assert.match(saved.text, words)
})

test('the largest agent flow answers, and a larger one of an earlier version still does [flow:size]', async () => {
  const body = { name: 'largest', flowData: wide(500) }
  const {
    status,
    body: flow,
    text,
  } = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', body)
  assert.equal(status, 200, text)
  const ask = () =>
    platform.call<{ text: string }>('POST', `/api/v1/prediction/${flow.id}`, { body: { question: 'a' } })
  assert.deepEqual((await ask()).body.text, 'Hello')
  // The row as an earlier version left it: without a checksum, that of the smaller drawing would say that it is damaged.
  const larger = JSON.stringify(wide(520))
  await platform.sql('UPDATE flows SET flow_data = ?, checksum = NULL WHERE id = ?', larger, flow.id)
  assert.equal((await ask()).body.text, 'Hello')
  // A change of its name leaves the drawing as it is.
  const renamed = await platform.manage('PUT', `/api/v1/chatflows/${flow.id}`, { name: 'renamed' })
  assert.equal(renamed.status, 200, renamed.text)
})
