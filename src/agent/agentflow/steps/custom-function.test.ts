import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start, step, steps } from '../../../../test/support/agent-drawing.ts'
import { agentRuntime } from '../../../../test/support/agent-runtime.ts'
import type { JsonObject } from '../../../kit/json.ts'

test('a Custom Function reads its variables and the state, and other nodes read what it returns', async () => {
  const { ask } = agentRuntime({ variables: [{ name: 'city', type: 'static', value: 'Oslo' }] })
  const flow = (code: string) => ({
    nodes: [
      start({ startState: [{ key: 'n', value: '2' }] }),
      step('customFunctionAgentflow_0', {
        customFunctionInputVariables: [{ variableName: 'q', variableValue: '<p>{{ question }}</p>' }],
        customFunctionJavascriptFunction: code,
        customFunctionUpdateState: [{ key: 'n', value: '{{output.n}}' }],
      }),
      step('directReplyAgentflow_0', {
        directReplyMessage: '{{customFunctionAgentflow_0.output.text}} {{$flow.state.n}}',
      }),
    ],
    edges: steps(
      'startAgentflow_0 > customFunctionAgentflow_0',
      'customFunctionAgentflow_0 > directReplyAgentflow_0',
    ),
  })
  const code =
    'return { text: [$q, $vars.city, $flow.input].join(" "), n: Number($flow.state.n) + 1 } // {{question}}'
  const { text, agentFlowExecutedData } = await ask(flow(code), { question: 'a "b"' })
  assert.equal(text, 'a "b" Oslo a "b" 3')
  // Clients see the names of the inputs only, because a value may be a secret.
  const [, { data }] = agentFlowExecutedData as [unknown, { data: JsonObject }]
  assert.deepEqual(data.input, { inputVariables: ['$q'] })
  await assert.rejects(ask(flow('throw new Error("no")')), { code: 'input_invalid', message: /no/ })
})
