import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messagesOfCode } from './message-code.ts'

test('messagesOfCode() reads messages whose texts are written out, in their order', () => {
  const code = `const { AIMessage, HumanMessage } = require('@langchain/core/messages');
return [
  new SystemMessage('Be "brief" (please)'),
  new HumanMessage({ content: "2 + 2?", name: "example" }),
  new AIMessage(\`four
{not a value}\`),
]`
  assert.deepEqual(
    messagesOfCode(code).map(({ role, pieces }) => [role, pieces]),
    [
      ['system', [{ type: 'text', text: 'Be "brief" (please)' }]],
      ['user', [{ type: 'text', text: '2 + 2?' }]],
      ['assistant', [{ type: 'text', text: 'four\n{not a value}' }]],
    ],
  )
})

for (const [code, reason] of [
  ['return [new ToolMessage({ content: "1", tool_call_id: "1" })]', /it makes a ToolMessage/],
  ['return [new HumanMessage(text)]', /the text of a HumanMessage is not written out/],
  ['return [new HumanMessage(`Hi $' + '{name}`)]', /not written out/],
  ['return [new AIMessage({ content: "", tool_calls: [{ name: "x" }] })]', /not written out/],
  ['return [new AIMessage("a"', /bracket is not closed/],
  ['return []', /returns no messages/],
] as const)
  test(`messagesOfCode() refuses ${code}`, () => assert.throws(() => messagesOfCode(code), reason))
