import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialRunState, runScope } from '../../src/agent/agentflow/run-state.ts'
import { flowScope } from '../../src/flow/variables.ts'
import type { FlowFile } from '../../studio/drawing/flow-file.ts'
import { drawGraph } from '../../studio/drawing/graph.ts'
import { variableNames } from '../../studio/drawing/variable-names.ts'
import { STUDIO_KINDS } from '../support/studio-kinds.ts'

const file = {
  nodes: [
    ['startAgentflow_0', { startState: [{ key: 'city', value: '' }], formInputTypes: [{ name: 'size' }] }],
    ['llmAgentflow_0', {}],
    ['humanInputAgentflow_0', {}],
    ['store_0', {}],
    ['embeddings_0', {}],
  ].map(([id, inputs]) => ({
    id,
    type: String(id).includes('Agentflow') ? 'agentFlow' : 'customNode',
    position: { x: 0, y: 0 },
    data: { name: String(id).replace('_0', ''), inputs },
  })),
  edges: [
    ['startAgentflow_0', 'llmAgentflow_0'],
    ['llmAgentflow_0', 'humanInputAgentflow_0'],
  ].map(([source, target]) => ({ id: `${source}-${target}`, source, target, type: 'agentFlow' })),
} as unknown as FlowFile
const graph = drawGraph(file, STUDIO_KINDS)
const namesAt = (id: string) =>
  variableNames(graph, graph.nodes.find((node) => node.id === id)!, ['key']).map(({ name }) => name)

/** The names of a run, as the server resolves them. */
const asked = { text: 'a', images: [], question: 'a', fileText: '' }
const run = {
  ...initialRunState(asked as never, { size: 1 }, [], 'startAgentflow_0'),
  outputs: { llmAgentflow_0: { content: 'b' } },
}
const ofFlow = flowScope({
  question: 'a',
  form: { size: 1 },
  fileText: '',
  past: [],
  now: new Date(),
  variables: { key: 'v' },
  flow: { chatflowId: 'f', sessionId: 's', chatId: 'c', state: { city: 'x' } },
})

test('variableNames() offers only names that the server replaces', () => {
  for (const id of ['humanInputAgentflow_0', 'embeddings_0'])
    for (const name of namesAt(id))
      assert.notEqual(runScope(run)(name) ?? ofFlow(name), undefined, `${name} in ${id}`)
})

test('variableNames() has outputs of earlier steps, state and form for a step, and no conversation for a store', () => {
  const atEnd = namesAt('humanInputAgentflow_0')
  for (const name of ['llmAgentflow_0', '$flow.state.city', '$form.size', '$vars.key', 'question'])
    assert.ok(atEnd.includes(name), name)
  assert.ok(!namesAt('llmAgentflow_0').includes('humanInputAgentflow_0'))
  assert.ok(!namesAt('llmAgentflow_0').includes('llmAgentflow_0'))
})
