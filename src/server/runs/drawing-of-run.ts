import type { FlowRow, FlowStore } from '../../contract/flow-store.ts'
import { isAgentFlow, readGraph, referenceOf, written } from '../../flow/graph.ts'
import { isObject, parseJson } from '../../kit/json.ts'

/** The drawing that ran, as far as a record shows it. */
export type DrawingOfRun = {
  isAgentFlow: boolean
  nodes: { id: string; label: string; name: string }[]
  /** The lines, each once. */
  lines: { from: string; to: string }[]
}

export type FoundDrawing = { state: 'same' | 'changed' | 'gone'; name: string; drawing: DrawingOfRun }

const NO_DRAWING: DrawingOfRun = { isAgentFlow: false, nodes: [], lines: [] }

/** How many revisions of a flow are looked through: as many as are kept. */
const REVISIONS = 100

/**
 * The drawing of a flow at a moment. Where its revision is not kept any more, the present one stands for it.
 *
 * @param at in ms since 1970
 */
export async function drawingAt(flows: FlowStore, flowId: string, at: number): Promise<FoundDrawing> {
  const flow = await flows.find(flowId)
  if (!flow) return { state: 'gone', name: flowId, drawing: NO_DRAWING }
  const then = await flowAt(flows, flow, at)
  const isSame = then !== undefined && then.flowData === flow.flowData
  return { state: isSame ? 'same' : 'changed', name: flow.name, drawing: ranDrawing((then ?? flow).flowData) }
}

async function flowAt(flows: FlowStore, flow: FlowRow, at: number): Promise<FlowRow | undefined> {
  const { rows } = await flows.revisions(flow.id, { offset: 0, limit: REVISIONS })
  const number = rows.find(({ savedAt }) => savedAt <= at)?.number
  if (number === undefined) return undefined
  return number === flow.revision ? flow : (await flows.revision(flow.id, number))?.flow
}

/** Nodes and lines of a drawing; none of one that cannot be read. */
export function ranDrawing(flowData: string): DrawingOfRun {
  const data = parseJson(flowData)
  if (!isObject(data) || !Array.isArray(data.nodes)) return NO_DRAWING
  const graph = readGraph(flowData)
  const lines = new Map<string, { from: string; to: string }>()
  const add = (from: string, to: string) => {
    if (graph.nodes.has(from) && graph.nodes.has(to)) lines.set(`${from}\n${to}`, { from, to })
  }
  for (const edge of Array.isArray(data.edges) ? data.edges : [])
    if (isObject(edge)) add(written(edge.source), written(edge.target))
  for (const { id, inputs } of graph.nodes.values())
    for (const value of Object.values(inputs))
      for (const one of Array.isArray(value) ? value : [value]) {
        const from = referenceOf(one)
        if (from !== undefined) add(from, id)
      }
  return {
    isAgentFlow: isAgentFlow(graph),
    nodes: [...graph.nodes.values()].map(({ id, label, name }) => ({ id, label, name })),
    lines: [...lines.values()],
  }
}
