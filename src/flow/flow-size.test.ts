import assert from 'node:assert/strict'
import { test } from 'node:test'
import { start, step, steps } from '../../test/support/agent-drawing.ts'
import { FLOW_LIMITS, refuseLargeFlow } from './flow-size.ts'

const nodes = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ id: `n${number}`, data: { name: 'x' } }))
const agents = (count: number) =>
  Array.from({ length: count }, (_, number) => step(`directReplyAgentflow_${number}`))
const edges = (count: number) => steps(...Array.from({ length: count }, () => 'a > b'))

test('refuseLargeFlow() takes the largest flow, and names what is too many of a larger one', () => {
  const { nodes: most, edges: mostEdges, steps: mostSteps } = FLOW_LIMITS
  refuseLargeFlow({ nodes: nodes(most), edges: edges(mostEdges) })
  refuseLargeFlow({ nodes: [start(), ...agents(mostSteps - 1)], edges: [] })
  refuseLargeFlow('no drawing')
  for (const [drawing, reason] of [
    [{ nodes: nodes(most + 1), edges: [] }, /it has 1,001 nodes, the most are 1,000/],
    [{ nodes: [], edges: edges(mostEdges + 1) }, /it has 5,001 edges, the most are 5,000/],
    [{ nodes: agents(mostSteps + 1), edges: [] }, /it has 501 nodes of an agent flow, the most are 500/],
  ] as const)
    for (const given of [drawing, JSON.stringify(drawing)])
      assert.throws(() => refuseLargeFlow(given), { code: 'flow_invalid', message: reason })
})
