import { SluiceError } from '../../kit/errors.ts'
import { isObject, type JsonObject, parseJson } from '../../kit/json.ts'
import { type ExportedKey, exportedKey } from './exported-key.ts'

export type FlowType = 'CHATFLOW' | 'AGENTFLOW' | 'MULTIAGENT' | 'ASSISTANT'

/** A flow of an export, before its drawing is read. */
export type Exported = {
  /** Its id, if the export has one. Flows of one export refer to each other by it. */
  id?: string
  name?: string
  type?: FlowType
  drawing: JsonObject & { nodes: JsonObject[] }
  key: ExportedKey
  /** All that the export has of it besides the drawing: columns, or settings within it. */
  row: Record<string, unknown>
}

/** The lists of flows in the export of a whole instance, with the default type of their rows. */
const FLOW_LISTS: Readonly<Record<string, FlowType>> = {
  ChatFlow: 'CHATFLOW',
  AgentFlowV2: 'AGENTFLOW',
  AgentFlow: 'MULTIAGENT',
  AssistantFlow: 'ASSISTANT',
}

/**
 * Finds the flows in an export: the file of the editor (`{nodes, edges}`), a row of the management API
 * (`flowData`, text or object), or the export of a whole instance, which may hold several.
 *
 * @throws SluiceError `flow_invalid` where there is none
 */
export function findFlows(exported: unknown): Exported[] {
  if (!isObject(exported)) throw noFlow({})
  const flow = flowIn(exported, undefined)
  if (flow) return [flow]
  if (isTool(exported))
    throw new SluiceError('flow_invalid', {
      reason: 'it is a custom tool, not a flow',
      hint: 'Import it on the page Tools, with sluice tool import, or send it to POST /api/v1/tools',
    })
  const flows = Object.entries(FLOW_LISTS).flatMap(([list, type]) => {
    const rows = exported[list]
    return (Array.isArray(rows) ? rows : []).flatMap((row) =>
      isObject(row) ? (flowIn(row, type) ?? []) : [],
    )
  })
  if (flows.length === 0) throw noFlow(exported)
  return flows
}

/** The export of a whole instance may have other things alone, which come in beside a flow. */
function noFlow({ Tool: tools, Variable: variables }: Record<string, unknown>): SluiceError {
  if (![tools, variables].some((list) => Array.isArray(list) && list.length > 0))
    return new SluiceError('flow_invalid', { reason: 'there is no flow in it: no list of nodes' })
  return new SluiceError('flow_invalid', {
    reason: 'there is no flow in it, beside which its custom tools and variables would come in',
    hint: 'Export a flow with them; or import each tool on the page Tools or with sluice tool import, and make the variables under Variables',
  })
}

/** A row with a drawing as a flow; undefined for any other. @param listed the type of the rows of its list */
export function flowIn(row: Record<string, unknown>, listed: FlowType | undefined): Exported | undefined {
  const data = typeof row.flowData === 'string' ? parseJson(row.flowData) : (row.flowData ?? row)
  if (!isObject(data) || !Array.isArray(data.nodes)) return undefined
  // An export of this server has the drawing and the field `sluice`.
  const { sluice, ...drawing } = data as JsonObject
  const facts = isObject(sluice) ? sluice : row
  const nodes = data.nodes.filter(isObject) as JsonObject[]
  const type = typeOf(facts.type) ?? listed ?? (nodes.some(isOfFirstAgentFlows) ? 'MULTIAGENT' : undefined)
  return {
    ...(typeof row.id === 'string' ? { id: row.id } : {}),
    ...nameOf(facts),
    ...(type === undefined ? {} : { type }),
    drawing: { ...drawing, nodes },
    key: exportedKey(row, sluice),
    row,
  }
}

const typeOf = (type: unknown): FlowType | undefined =>
  Object.values(FLOW_LISTS).find((known) => known === type)

/** The categories of the nodes of agent flows before version 2. */
const isOfFirstAgentFlows = ({ data }: JsonObject): boolean =>
  isObject(data) && (data.category === 'Multi Agents' || data.category === 'Sequential Agents')

/** The export of Flowise's "Export Tool". */
export const isTool = (exported: Record<string, unknown>): boolean =>
  typeof exported.name === 'string' && 'func' in exported && 'schema' in exported

const nameOf = ({ name }: Record<string, unknown>) =>
  typeof name === 'string' && name.trim() !== '' ? { name: name.trim() } : {}
