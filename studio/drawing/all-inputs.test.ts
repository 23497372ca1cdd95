import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STUDIO_KINDS } from '../../test/support/studio-kinds.ts'
import { allInputs } from './all-inputs.ts'
import { drawGraph } from './graph.ts'

test('allInputs() lists plugs and inputs of every node by their labels', () => {
  const file = {
    nodes: [
      { id: 'splitter_0', data: { name: 'splitter', label: 'Cutter', inputs: {} } },
      { id: 'loader_0', data: { name: 'loader', inputs: {} } },
    ],
  }
  assert.deepEqual(
    allInputs(drawGraph(file, STUDIO_KINDS), STUDIO_KINDS).map(({ node, path }) => `${node} ${path}`),
    ['Cutter chunkSize', 'loader textSplitter', 'loader file', 'loader usage'],
  )
})

test('allInputs() lists the inputs of a part that is configured within a node', () => {
  const llm = STUDIO_KINDS.get('llmAgentflow')!
  const model = {
    ...STUDIO_KINDS.get('embeddings')!,
    name: 'model',
    inputs: [{ name: 'temperature', label: 'Temperature', type: 'number', optional: true }],
  }
  const kinds = new Map(STUDIO_KINDS).set('model', model).set('llmAgentflow', {
    ...llm,
    inputs: [
      {
        name: 'llmModel',
        label: 'Model',
        type: 'string',
        optional: true,
        selects: 'chatModel',
        config: 'llmModelConfig',
      },
      { name: 'llmModelConfig', label: 'Parameters', type: 'json', optional: true },
    ],
  })
  const data = { name: 'llmAgentflow', inputs: { llmModel: 'model' } }
  const file = { nodes: [{ id: 'llm_0', type: 'agentFlow', data }] }
  assert.deepEqual(
    allInputs(drawGraph(file, kinds), kinds).map(({ label, path }) => `${label} ${path}`),
    ['Model llmModel', 'Temperature llmModel.temperature'],
  )
})
