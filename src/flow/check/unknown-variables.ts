import type { Catalog } from '../catalog.ts'
import { type FlowGraph, type FlowNode, isAgentFlow } from '../graph.ts'
import { breather } from '../../kit/breather.ts'
import { namesNodes, nodeOfName } from '../named-nodes.ts'
import { namesOfVariables, textsWithin } from '../named-variables.ts'
import { headOf } from '../variables.ts'
import type { ReportRow } from './report-row.ts'

/** The names that every flow has, see `flowScope`. */
const EVERYWHERE = [
  'question',
  'chat_history',
  'file_attachment',
  'current_date_time',
  'runtime_messages_length',
  '$form',
  '$flow',
]
/** The names that only agent flows have, see `runScope` and `outputScope`. */
const IN_STEPS = ['$iteration', 'loop_count', 'output']

const PLACE = /\{\{\s*(\$?[\p{L}_][\w$.[\]-]*)\s*\}\}/gu

/** A row for each variable that a text of a node names and that no run has: the text stays as it is written. */
export async function unknownVariables(
  graph: FlowGraph,
  { catalog, variables }: { catalog: Catalog; variables: ReadonlySet<string> },
): Promise<ReportRow[]> {
  const known = new Set([...EVERYWHERE, ...(isAgentFlow(graph) ? IN_STEPS : []), ...graph.nodes.keys()])
  const rows: ReportRow[] = []
  const breathe = breather()
  for (const node of graph.nodes.values()) {
    await breathe()
    for (const name of namesOfVariables(node))
      if (!variables.has(name))
        rows.push(row(node.id, node.label, null, `there is no variable ${name}`, makeIt(name)))
    rows.push(...placesOf(node, known, catalog))
  }
  return rows
}

const makeIt = (name: string) => `Make it under Variables: ${name}`

function* placesOf(node: FlowNode, known: ReadonlySet<string>, catalog: Catalog): Iterable<ReportRow> {
  const fields = catalog.get(node.name)?.fields ?? {}
  for (const [input, value] of Object.entries(node.inputs)) {
    if (!Object.hasOwn(fields, input) || ['code', 'file'].includes(fields[input]!.type)) continue
    const names = [...textsWithin(value)].flatMap((text) =>
      [...text.matchAll(PLACE)].map(([, name]) => name!),
    )
    for (const name of new Set(names)) {
      // The check of connections names a node that a prompt refers to.
      if (namesNodes(node, catalog) && nodeOfName(name) !== undefined) continue
      const [head] = headOf(name)
      if (head !== '$vars' && !known.has(head) && !known.has(name))
        yield row(node.id, node.label, input, `there is no {{${name}}}`, KNOWN)
    }
  }
}

const KNOWN = 'Use {{question}}, {{$vars.NAME}}, {{$flow.state.KEY}}, or the id of a node that ran before'

const row = (
  nodeId: string,
  node: string,
  input: string | null,
  what: string,
  instead: string,
): ReportRow => ({
  nodeId,
  node,
  input,
  severity: 'note',
  what: `${what}: the text stays as it is written`,
  instead,
})
