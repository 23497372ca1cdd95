import { SluiceError } from '../kit/errors.ts'
import { isObject, parseJson } from '../kit/json.ts'
import { isStep } from './graph.ts'

/** The most parts of one flow. `steps`: the nodes of an agent flow, which run one after another. */
export const FLOW_LIMITS = { nodes: 1000, edges: 5000, steps: 500 } as const

/**
 * Refuses a drawing that is larger than any person draws: checks and runs of it would take the time of everybody. A flow that
 * was stored by an earlier version is not refused when it runs.
 *
 * @param flowData the drawing, as JSON text or as an object
 * @throws SluiceError `flow_invalid`, with the number and the limit
 */
export function refuseLargeFlow(flowData: unknown): void {
  const drawing = typeof flowData === 'string' ? parseJson(flowData) : flowData
  if (!isObject(drawing)) return
  const nodes = Array.isArray(drawing.nodes) ? drawing.nodes : []
  const edges = Array.isArray(drawing.edges) ? drawing.edges : []
  const steps = nodes.filter((node) => isObject(node) && isStep(node))
  for (const [name, list] of Object.entries({ nodes, edges, steps }))
    refuseMore(name as keyof typeof FLOW_LIMITS, list.length)
}

function refuseMore(name: keyof typeof FLOW_LIMITS, count: number): void {
  const most = FLOW_LIMITS[name]
  if (count <= most) return
  const what = name === 'steps' ? 'nodes of an agent flow' : name
  throw new SluiceError('flow_invalid', {
    reason: `it has ${count.toLocaleString('en')} ${what}, the most are ${most.toLocaleString('en')}`,
    hint: 'Divide it into several flows: the node Execute Flow runs another one',
  })
}
