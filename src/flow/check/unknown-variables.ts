import type { Catalog } from '../catalog.ts'
import { type FlowGraph, type FlowNode, isAgentFlow } from '../graph.ts'
import { namedVariables } from '../named-variables.ts'
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
export function unknownVariables(
  graph: FlowGraph,
  { catalog, variables }: { catalog: Catalog; variables: ReadonlySet<string> },
): ReportRow[] {
  const missing = namedVariables(graph)
    .filter(({ name }) => !variables.has(name))
    .map(({ nodeId, node, name }) => row(nodeId, node, null, `there is no variable ${name}`, makeIt(name)))
  const known = new Set([...EVERYWHERE, ...(isAgentFlow(graph) ? IN_STEPS : []), ...graph.nodes.keys()])
  const others = [...graph.nodes.values()].flatMap((node) => [...placesOf(node, known, catalog)])
  return [...missing, ...others]
}

const makeIt = (name: string) => `Make it under Variables: ${name}`

function* placesOf(node: FlowNode, known: ReadonlySet<string>, catalog: Catalog): Iterable<ReportRow> {
  const fields = catalog.get(node.name)?.fields ?? {}
  for (const [input, value] of Object.entries(node.inputs)) {
    if (!Object.hasOwn(fields, input) || fields[input]!.type === 'code') continue
    const names = [...textsIn(value)].flatMap((text) => [...text.matchAll(PLACE)].map(([, name]) => name!))
    for (const name of new Set(names)) {
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

function* textsIn(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* textsIn(inner)
}
