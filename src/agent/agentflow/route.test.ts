import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start, step, steps } from '../../../test/support/agent-drawing.ts'
import { readGraph } from '../../flow/graph.ts'
import { nextNodes } from '../../flow/step-route.ts'
import { enqueueNode, firstChildNodes, takeNextNode } from './route.ts'
import type { QueuedNode } from './run-state.ts'

const replies = (count: number) =>
  Array.from({ length: count }, (_, number) => `directReplyAgentflow_${number}`)
const graphOf = (ids: readonly string[], edges: readonly string[]) =>
  readGraph({ nodes: [start(), ...ids.map((id) => step(id))], edges: steps(...edges) })

/** The nodes in the order in which a run takes them, all branches open. */
function order(graph: ReturnType<typeof readGraph>, most = Infinity): string[] {
  const taken: string[] = []
  let queue: QueuedNode[] = [{ id: 'startAgentflow_0', after: [] }]
  while (queue.length > 0 && taken.length < most) {
    const [next, rest] = takeNextNode(graph, queue)
    taken.push(next.id)
    queue = nextNodes(graph, next.id).reduce((all, id) => enqueueNode(all, id, next.id), rest)
  }
  return taken
}

const a = (number: number) => `directReplyAgentflow_${number}`
const S = 'startAgentflow_0'

test('takeNextNode() takes a node where branches meet after all of them, and else the first of the queue', () => {
  const graph = graphOf(replies(5), [
    `${S} > ${a(0)}`,
    `${S} > ${a(1)}`,
    `${S} > ${a(4)}`,
    `${a(0)} > ${a(2)}`,
    `${a(2)} > ${a(3)}`,
    `${a(3)} > ${a(4)}`,
    `${a(1)} > ${a(4)}`,
  ])
  assert.deepEqual(order(graph), [S, a(0), a(1), a(2), a(3), a(4)])
})

test('takeNextNode() takes the first node of a circle', () => {
  const graph = graphOf(replies(2), [
    `${S} > ${a(1)}`,
    `${S} > ${a(0)}`,
    `${a(0)} > ${a(1)}`,
    `${a(1)} > ${a(0)}`,
  ])
  assert.deepEqual(order(graph, 4), [S, a(1), a(0), a(1)])
})

test('takeNextNode() looks at the edges of a flow once, however many nodes wait', () => {
  const ids = replies(300)
  const graph = graphOf(
    [...ids, a(999)],
    [...ids.map((id) => `${S} > ${id}`), ...ids.map((id) => `${id} > ${a(999)}`)],
  )
  let reads = 0
  const counted = new Proxy(graph.steps, {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1
      return Reflect.get(target, key, receiver)
    },
  })
  assert.equal(order({ ...graph, steps: counted }).length, 302)
  // One after another, each looked at all edges for each node that waited: some 100 million reads.
  assert.ok(reads <= 2 * graph.steps.length, `${reads} reads of ${graph.steps.length} edges`)
})

test('firstChildNodes() gives the nodes of an iteration that no edge leads to', () => {
  const inside = [step(a(0)), step(a(1))].map((node) => ({ ...node, parentNode: 'iterationAgentflow_0' }))
  const graph = readGraph({
    nodes: [start(), step('iterationAgentflow_0'), ...inside],
    edges: steps(`${a(0)} > ${a(1)}`),
  })
  assert.deepEqual(firstChildNodes(graph, 'iterationAgentflow_0'), [a(0)])
})
