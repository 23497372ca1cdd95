import type { FlowFile, Json } from './flow-file.ts'
import type { Graph } from './graph.ts'
import { AGENT_FLOWS } from './node-kinds.ts'

/** What keeps a flow from running, as the server found it (`POST /flows/validate`). */
export type Problem = {
  /** The node; null where the problem belongs to the whole flow. */
  nodeId: string | null
  /** The path of the input: `chunkSize`, `agentModel.temperature`; null where it belongs to the whole node. */
  input: string | null
  /** The line of a text, from 1. */
  line: number | null
  message: string
}

/** The problems by the nodes that they belong to; those of the whole flow have the key null. */
export const problemsByNode = (problems: readonly Problem[]): Map<string | null, Problem[]> =>
  Map.groupBy(problems, ({ nodeId }) => nodeId)

/** From how many characters the content of a file in a flow is left out of a check. */
const LONG_FILE = 20_000

/**
 * The file for a check: files that the flow holds keep type and name, but only the first bytes. A flow may hold 10 MB of
 * them, and each pause in typing is a check.
 */
export function forCheck(file: FlowFile): FlowFile {
  return { ...file, nodes: file.nodes.map(shortened) }
}

function shortened(value: Json): Json {
  if (typeof value === 'string')
    return value.length > LONG_FILE
      ? value.replace(/(data:[^,"]*;base64,)[A-Za-z0-9+/=]{100,}/g, '$1AAAA')
      : value
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]))
}

/** The vector stores that an upsert can load into: a document loader is plugged into them. */
export const wiredStores = (graph: Graph) =>
  graph.nodes.filter((node) =>
    node.plugs.some(
      ({ name, type, plugged }) => name === 'document' && type === 'Document' && plugged.length > 0,
    ),
  )

export const isAgentFlow = (graph: Graph): boolean =>
  graph.nodes.some(({ kind, shape }) => shape === 'step' || kind.category === AGENT_FLOWS)
