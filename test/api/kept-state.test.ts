import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start, step, steps } from '../support/agent-drawing.ts'
import { makePlatform } from '../support/platform.ts'

const platform = await makePlatform()

const drawing = {
  nodes: [
    start({ startState: [{ key: 'cities', value: 'none' }], startPersistState: true }),
    step('customFunctionAgentflow_0', {
      customFunctionJavascriptFunction: `return $flow.state.cities + ', ' + $flow.input`,
      customFunctionUpdateState: [{ key: 'cities', value: '{{ output }}' }],
    }),
    step('directReplyAgentflow_0', { directReplyMessage: '{{$flow.state.cities}}' }),
  ],
  edges: steps(
    'startAgentflow_0 > customFunctionAgentflow_0',
    'customFunctionAgentflow_0 > directReplyAgentflow_0',
  ),
}

test('the state of a session is kept between its questions, and is deleted with its messages [flows:persist-state]', async () => {
  const made = await platform.manage<{ id: string }>('POST', '/api/v1/chatflows', {
    name: 'Cities',
    type: 'AGENTFLOW',
    flowData: drawing,
  })
  assert.equal(made.status, 200, made.text)
  const { id } = made.body
  const ask = async (question: string, chatId: string) => {
    const { body, text } = await platform.call<{ text: string }>('POST', `/api/v1/prediction/${id}`, {
      body: { question, chatId },
    })
    assert.ok(body.text, text)
    return body.text
  }
  assert.equal(await ask('Oslo', 'one'), 'none, Oslo')
  assert.equal(await ask('Bergen', 'one'), 'none, Oslo, Bergen')
  assert.equal(await ask('Rome', 'two'), 'none, Rome')
  const removed = await platform.manage('DELETE', `/api/v1/chatmessage/${id}?chatId=one`)
  assert.equal(removed.status, 200, removed.text)
  assert.equal(await ask('Paris', 'one'), 'none, Paris')
  assert.equal(await ask('Milan', 'two'), 'none, Rome, Milan')
})
