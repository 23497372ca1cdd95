import { SluiceError } from '../../kit/errors.ts'
import { isObject, type JsonObject, parseJson } from '../../kit/json.ts'

/** A flow as it lies in an export, before anything of it is understood. */
export type Exported = { name?: string; drawing: JsonObject & { nodes: JsonObject[] } }

/** The lists of a whole instance's export that hold flows. */
const FLOW_LISTS = ['ChatFlow', 'AgentFlowV2', 'AgentFlow', 'AssistantFlow']

/**
 * Finds the flow in what people export: the file of the editor (`{nodes, edges}`), a row of the management API
 * (`flowData`, text or object), or the export of a whole instance that holds one flow.
 *
 * @throws SluiceError `flow_invalid` where there is none, or more than one
 */
export function findFlow(exported: unknown): Exported {
  if (!isObject(exported)) throw noFlow()
  const drawing = drawingIn(exported)
  if (drawing) {
    const { sluice, ...bare } = drawing
    return { ...nameOf(isObject(sluice) ? sluice : exported), drawing: bare as Exported['drawing'] }
  }

  const rows = FLOW_LISTS.flatMap((list) => (Array.isArray(exported[list]) ? exported[list] : []))
  const flows = rows.flatMap((row) => {
    const drawing = isObject(row) && drawingIn(row)
    return drawing ? [{ ...nameOf(row), drawing }] : []
  })
  if (flows.length > 1) {
    const names = flows.map(({ name }) => name ?? 'without a name').join(', ')
    throw new SluiceError('flow_invalid', {
      reason: `the export holds ${flows.length} flows (${names}): send one`,
    })
  }
  if (!flows[0]) throw noFlow()
  return flows[0]
}

const noFlow = () => new SluiceError('flow_invalid', { reason: 'there is no flow in it: no list of nodes' })

function drawingIn(row: Record<string, unknown>): Exported['drawing'] | undefined {
  const data = typeof row.flowData === 'string' ? parseJson(row.flowData) : (row.flowData ?? row)
  if (!isObject(data) || !Array.isArray(data.nodes)) return undefined
  return { ...(data as JsonObject), nodes: data.nodes.filter(isObject) as JsonObject[] }
}

const nameOf = ({ name }: Record<string, unknown>) =>
  typeof name === 'string' && name.trim() !== '' ? { name: name.trim() } : {}
