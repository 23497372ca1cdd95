import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STUDIO_KINDS as KINDS } from '../../test/support/studio-kinds.ts'
import { compareDrawings, isUnchanged } from './compare.ts'
import { addNode, connectSteps, moveNodes, removeNodes, setInputs } from './commands.ts'
import type { FlowFile } from './flow-file.ts'
import { drawGraph } from './graph.ts'

const EMPTY: FlowFile = { nodes: [], edges: [] }
const add = (file: FlowFile, name: string) => addNode(file, KINDS.get(name)!, { x: 0, y: 0 }).apply(file)

test('compareDrawings() names added, removed, changed and moved nodes, and each input with both values', () => {
  const before = add(add(add(EMPTY, 'splitter'), 'store'), 'embeddings')
  let after = removeNodes(['embeddings_0']).apply(add(before, 'loader'))
  const splitter = drawGraph(after, KINDS).nodes[0]!
  after = setInputs(splitter, { chunkSize: 500 }, { path: 'chunkSize', label: 'chunkSize' }).apply(after)
  after = moveNodes(new Map([['store_0', { x: 5, y: 5 }]]), 'move').apply(after)
  assert.deepEqual(compareDrawings(before, after, KINDS), {
    nodes: [
      {
        id: 'splitter_0',
        label: 'splitter',
        kind: 'changed',
        parts: [{ name: 'input chunkSize', label: 'chunkSize', type: 'number', before: 1000, after: 500 }],
      },
      { id: 'store_0', label: 'store', kind: 'moved', parts: [] },
      { id: 'loader_0', label: 'loader', kind: 'added', parts: [] },
      { id: 'embeddings_0', label: 'embeddings', kind: 'removed', parts: [] },
    ],
    linesAdded: [],
    linesRemoved: [],
  })
})

test('compareDrawings() names lines between steps, and finds nothing in a copy', () => {
  const before = add(add(EMPTY, 'startAgentflow'), 'llmAgentflow')
  const { nodes } = drawGraph(before, KINDS)
  const after = connectSteps(nodes[0]!, nodes[1]!, 0).apply(before)
  assert.deepEqual(compareDrawings(before, after, KINDS).linesAdded, ['startAgentflow → llmAgentflow'])
  assert.deepEqual(compareDrawings(after, before, KINDS).linesRemoved, ['startAgentflow → llmAgentflow'])
  assert.ok(isUnchanged(compareDrawings(after, structuredClone(after), KINDS)))
})
