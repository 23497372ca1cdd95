import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start, step, steps } from '../../../../test/support/agent-drawing.ts'
import { agentRuntime } from '../../../../test/support/agent-runtime.ts'
import type { Tool } from '../../../contract/tool.ts'

const noted: unknown[] = []
const tools: Tool[] = ['list', 'remove'].map((name) => ({
  name,
  description: name,
  parameters: { type: 'object', properties: { id: { type: 'integer' } } },
  async call({ id = null }) {
    noted.push([name, id])
    return { output: `${name}: done`, documents: [{ pageContent: 'd', metadata: {} }] }
  },
}))

test('a Tool node calls its tool with the input set in the node', async () => {
  noted.length = 0
  const { ask } = agentRuntime({ tools })
  const { text, usedTools } = await ask(
    {
      nodes: [
        start({ startInputType: 'formInput' }),
        step('toolAgentflow_0', {
          toolAgentflowSelectedTool: 'props',
          toolAgentflowSelectedToolConfig: { only: 'list' },
          toolInputArgs: [{ inputArgName: 'id', inputArgValue: '<p>{{ $form.number }}</p>' }],
        }),
      ],
      edges: steps('startAgentflow_0 > toolAgentflow_0'),
    },
    { question: '', form: { number: '7' } },
  )
  assert.deepEqual([text, noted, usedTools?.length], ['list: done', [['list', 7]], 1])
})
