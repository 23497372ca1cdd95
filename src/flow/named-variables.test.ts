import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readGraph } from './graph.ts'
import { namedVariables } from './named-variables.ts'

test('namedVariables() finds variables in texts, lists and code, each once per node', () => {
  const node = (id: string, inputs: object) => ({ id, data: { id, name: 'n', label: `Node ${id}`, inputs } })
  const graph = readGraph({
    nodes: [
      node('a', {
        prompt: 'Hello {{$vars.city}}, {{ $vars.city }} of {{$vars.größe_2}}',
        rows: [{ value: '{{$vars.inner}}' }],
      }),
      node('b', { code: 'return $vars.city + $vars', note: '$variables.x' }),
    ],
    edges: [],
  })
  assert.deepEqual(
    namedVariables(graph).map(({ nodeId, node, name }) => [nodeId, node, name]),
    [
      ['a', 'Node a', 'city'],
      ['a', 'Node a', 'größe_2'],
      ['a', 'Node a', 'inner'],
      ['b', 'Node b', 'city'],
    ],
  )
})
