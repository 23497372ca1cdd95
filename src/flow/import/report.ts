import type { NodeCard } from '../../contract/card.ts'
import { isEmptyInput } from '../../cards/field.ts'
import type { Catalog } from '../catalog.ts'
import type { FlowNode } from '../graph.ts'
import { partsWithin } from './parts-within.ts'
import { type Missing, missingOf } from './missing.ts'
import type { LeftOutNode } from './edges.ts'
import type { Substitute } from './substitute.ts'
import { unreadable } from './unreadable.ts'

/** A place in a flow: the node, and for a part within the node also the input that has it. */
type Place = {
  nodeId: string
  label: string
  name: string
  within?: string
  /** Where that input is within the node: `agentTools[0].agentSelectedTool`. */
  path?: string
}

/** What was changed in an imported flow, and what it still needs. */
export type ImportReport = {
  /** Whether this server has every node and nothing is missing: the flow only needs credentials and documents. */
  supported: boolean
  nodes: number
  /** Nodes that were replaced by one of this server. */
  replaced: (Place & Substitute)[]
  /** Nodes that were left out, because this server does without them. */
  needless: LeftOutNode[]
  unsupported: Place[]
  /** Things that inputs refer to and this server does not have. */
  missing: (Place & Missing)[]
  /** Inputs without a credential. One of `kinds` fits, or the provider's key in the environment of the server. */
  credentials: (Place & { input: string; kinds: string[] })[]
  /** Inputs without documents; an upload with the request works as well. */
  files: (Place & { input: string; accepts: string })[]
  /** Inputs whose value cannot be read: they have their defaults. */
  defaulted: (Place & { input: string; reason: string; value: unknown })[]
  /** Keys, headers and files that the export has left out: they have to be entered again. */
  leftOut: { node: string; input: string }[]
  /** Nodes that no test has met the product of: see `experimental` of a card. */
  experimental: Place[]
  /** Inputs with a value that the node here does not have. */
  ignored: (Place & { input: string })[]
}

/** Inputs of every node that do not change what it does. */
const SILENT = new Set(['credential', 'FLOWISE_CREDENTIAL_ID'])

/** Checks every node, and every part within a node, by its card. */
export function reportOn(
  nodes: Iterable<FlowNode>,
  catalog: Catalog,
  replaced: ImportReport['replaced'],
  flows: ReadonlySet<string>,
): ImportReport {
  const report: ImportReport = {
    supported: true,
    nodes: 0,
    replaced,
    needless: [],
    unsupported: [],
    missing: [],
    credentials: [],
    files: [],
    defaulted: [],
    leftOut: [],
    experimental: [],
    ignored: [],
  }
  for (const node of nodes) {
    report.nodes += 1
    const place = { nodeId: node.id, label: node.label, name: node.name }
    lookAt(place, node.inputs)
    for (const part of partsWithin(node.inputs))
      lookAt({ ...place, name: part.name, within: part.input, path: part.path }, part.inputs)
  }
  report.supported = report.unsupported.length === 0 && report.missing.length === 0
  return report

  function lookAt(place: Place, inputs: Record<string, unknown>): void {
    const card = catalog.get(place.name)
    if (card?.experimental) report.experimental.push(place)
    if (card) lookAtInputs(card, place, inputs)
    else report.unsupported.push(place)
  }

  function lookAtInputs(card: NodeCard, place: Place, inputs: Record<string, unknown>): void {
    for (const missing of missingOf(card, inputs, flows)) report.missing.push({ ...place, ...missing })
    const alternatives = new Set(Object.values(card.fields).flatMap((field) => field.alternatives ?? []))
    for (const [input, field] of Object.entries(card.fields)) {
      if (!isEmptyInput(inputs[input]) || field.required || alternatives.has(input)) continue
      if (field.type === 'credential')
        report.credentials.push({ ...place, input, kinds: [...(field.options ?? [])] })
      if (field.type === 'file') report.files.push({ ...place, input, accepts: field.fileType ?? '' })
    }
    for (const { input, reason, fallback } of unreadable(card, inputs))
      report.defaulted.push({ ...place, input, reason, value: fallback })
    for (const [input, raw] of Object.entries(inputs)) {
      if (isEmptyInput(raw) || SILENT.has(input) || known(card, place, input)) continue
      report.ignored.push({ ...place, input })
    }
  }
}

/**
 * A part within a node repeats the input that names it; a `…Config` belongs to the input with the same name. The editor keeps which tab
 * of a node is open under the id of the node.
 */
const known = (card: NodeCard, place: Place, input: string): boolean =>
  Object.hasOwn(card.fields, input) ||
  Object.hasOwn(card.anchors, input) ||
  input === place.within ||
  input.endsWith(`_${place.nodeId}`) ||
  (input.endsWith('Config') && Object.hasOwn(card.fields, input.slice(0, -'Config'.length)))
