import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startForm, starterPrompts } from './starter-prompts.ts'

test('starterPrompts() reads what Flowise stores, and leaves out empty ones', () => {
  assert.deepEqual(starterPrompts({ 0: { prompt: 'Hello' }, 1: { prompt: ' ' }, 2: null }), ['Hello'])
  assert.deepEqual(starterPrompts(undefined), [])
})

test('startForm() reads the form of a Start node; a flow that begins with a question has none', () => {
  const flow = (inputs: object) => JSON.stringify({ nodes: [{ id: 'start', data: { name: 'x', inputs } }] })
  const formInputTypes = [
    { name: 'topic', label: 'Topic', type: 'string' },
    { name: 'size', type: 'options', addOptions: [{ option: 'small' }, { option: 'large' }] },
  ]
  assert.deepEqual(startForm(flow({ startInputType: 'formInput', formTitle: 'Order', formInputTypes })), {
    title: 'Order',
    description: '',
    inputs: [
      { name: 'topic', label: 'Topic', type: 'string', options: [] },
      { name: 'size', label: 'size', type: 'options', options: ['small', 'large'] },
    ],
  })
  assert.equal(startForm(flow({ startInputType: 'chatInput' })), undefined)
  assert.equal(startForm('{"nodes":[]}'), undefined)
})
