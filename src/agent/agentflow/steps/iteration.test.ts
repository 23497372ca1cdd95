import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start, step, steps } from '../../../../test/support/agent-drawing.ts'
import { agentRuntime } from '../../../../test/support/agent-runtime.ts'

test('an Iteration runs its child nodes for each item, and the nodes after it once', async () => {
  const { ask } = agentRuntime({})
  const inside = (id: string, inputs: object) => ({
    ...step(id, { ...inputs }),
    parentNode: 'iterationAgentflow_0',
  })
  const { text, agentFlowExecutedData } = await ask(
    {
      nodes: [
        start({ startInputType: 'formInput' }),
        step('iterationAgentflow_0', { iterationInput: '{{$form.list}}' }),
        inside('directReplyAgentflow_0', { directReplyMessage: '<{{$iteration.name}}>' }),
        inside('directReplyAgentflow_1', { directReplyMessage: '{{directReplyAgentflow_0}}!' }),
        step('directReplyAgentflow_2', { directReplyMessage: '{{iterationAgentflow_0}} {{$iteration}}' }),
      ],
      edges: steps(
        'startAgentflow_0 > iterationAgentflow_0',
        'directReplyAgentflow_0 > directReplyAgentflow_1',
        'iterationAgentflow_0 > directReplyAgentflow_2',
      ),
    },
    { question: '', form: { list: [{ name: 'a' }, { name: 'b' }] } },
  )
  assert.equal(text, '<a>!\n<b>! {{$iteration}}')
  assert.deepEqual(
    agentFlowExecutedData!.map(({ nodeId }) => nodeId.replace(/^directReplyAgentflow_/, '')),
    ['startAgentflow_0', '0', '1', '0', '1', 'iterationAgentflow_0', '2'],
  )
})
