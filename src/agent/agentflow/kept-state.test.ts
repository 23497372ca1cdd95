import assert from 'node:assert/strict'
import { test } from 'node:test'
import { props, agent, start, step, steps } from '../../../test/support/agent-drawing.ts'
import { agentRuntime } from '../../../test/support/agent-runtime.ts'
import { scriptedModel } from '../../../test/support/scripted-model.ts'

/** Counts the runs of a session in its state, and says the count. */
const counting = (inputs: object) => ({
  nodes: [
    start({ startState: [{ key: 'count', value: '0' }], ...inputs }),
    step('customFunctionAgentflow_0', {
      customFunctionJavascriptFunction: `return String(Number($flow.state.count) + 1)`,
      customFunctionUpdateState: [{ key: 'count', value: '{{ output }}' }],
    }),
    step('directReplyAgentflow_0', { directReplyMessage: 'Run {{$flow.state.count}}' }),
  ],
  edges: steps(
    'startAgentflow_0 > customFunctionAgentflow_0',
    'customFunctionAgentflow_0 > directReplyAgentflow_0',
  ),
})

test('with Persist State a run begins with the state that the last run of the session ended with [flows:persist-state]', async () => {
  const { ask } = agentRuntime({})
  const say = async (persist: boolean, chatId = 'chat-1') =>
    (await ask(counting({ startPersistState: persist }), { chatId })).text
  assert.equal(await say(false), 'Run 1')
  assert.equal(await say(true), 'Run 1')
  assert.equal(await say(true), 'Run 2')
  assert.equal(await say(true, 'chat-2'), 'Run 1')
  assert.equal(await say(false), 'Run 1', 'a flow that persists it no more begins anew')
  assert.equal(await say(true), 'Run 3', 'and leaves what was kept')
})

test('a run that fails leaves the state of the run before; one that waits for a person has its own [flows:persist-state]', async () => {
  const models = { model: scriptedModel({ calls: [{ name: 'remove', input: {} }] }, 'Removed') }
  const tools = [
    {
      name: 'remove',
      description: 'remove',
      parameters: { type: 'object' },
      call: async () => ({ output: 'done' }),
    },
  ]
  const { ask } = agentRuntime({ models, tools })
  const counted = counting({ startPersistState: true })
  assert.equal((await ask(counted)).text, 'Run 1')
  const failing = structuredClone(counted)
  failing.nodes[2] = agent(1, {}, 'unknown')
  failing.edges = [...failing.edges.slice(0, 1), ...steps('customFunctionAgentflow_0 > agentAgentflow_1')]
  await assert.rejects(ask(failing))
  const waiting = structuredClone(counted)
  waiting.nodes.push(agent(0, { agentTools: [props('remove', true)] }) as never)
  waiting.edges.push(...steps('directReplyAgentflow_0 > agentAgentflow_0'))
  assert.notEqual((await ask(waiting)).action, undefined)
  assert.equal((await ask(counted)).text, 'Run 2', 'the run that waits has not ended')
  await ask(waiting, { humanInput: { type: 'proceed' } })
  assert.equal((await ask(counted)).text, 'Run 3', 'the last run that ended counted to 2')
})

test('a flow that is called within a run keeps a state of its own for the session [flows:persist-state]', async () => {
  const { ask } = agentRuntime({ flows: { called: counting({ startPersistState: true }) } })
  const calling = {
    nodes: [
      start(),
      step('executeFlowAgentflow_0', { executeFlowSelectedFlow: 'called', executeFlowInput: 'a' }),
    ],
    edges: steps('startAgentflow_0 > executeFlowAgentflow_0'),
  }
  assert.equal((await ask(calling)).text, 'Run 1')
  assert.equal((await ask(calling)).text, 'Run 2')
})
