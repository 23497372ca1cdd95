import type { AnswererPart, PassageSearch } from '../../contract/card.ts'
import type { TokenUsage } from '../../contract/chat-model.ts'
import type { Loader } from '../../contract/loader.ts'
import type { ValuePart } from '../../contract/value-part.ts'
import type { Catalog } from '../../flow/catalog.ts'
import type { FlowGraph } from '../../flow/graph.ts'
import { neededOutputs, readsVariable, sourcesOf } from '../../flow/named-nodes.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Json } from '../../kit/json.ts'
import { addUsage, NO_TOKENS } from '../model-turn.ts'
import type { NamedOutputs } from './filled-prompt.ts'

/** The output of a node, and what it has cost. `branch`: of a node with two, whether it takes the one of True. */
export type NamedOutput = { value: Json; usage: TokenUsage; branch?: boolean }

/** A node that answers, or whose output stands in texts. */
export type NamedPart = { label: string } & (
  | { kind: 'answerer'; part: AnswererPart }
  | { kind: 'loader'; part: Loader }
  | { kind: 'passages'; part: PassageSearch }
  | { kind: 'value'; part: ValuePart }
)

/** The nodes of a flow with the values of a request. */
export type NamedGraph = { graph: FlowGraph; catalog: Catalog }

/**
 * Builds nodes that answer, and all nodes whose outputs they need, each once and after those that it needs itself.
 *
 * @throws SluiceError `flow_invalid` for nodes that need one another, and what building throws
 */
export function buildNamedParts(
  roots: readonly string[],
  { graph, catalog }: NamedGraph,
  build: (nodeId: string) => NamedPart,
): ReadonlyMap<string, NamedPart> {
  const done = new Map<string, NamedPart>()
  const open: string[] = []
  const visit = (id: string) => {
    if (done.has(id)) return
    if (open.includes(id)) {
      const reason = `${id} needs its own output, through ${open.slice(open.indexOf(id)).join(', ')}`
      throw new SluiceError('flow_invalid', { reason, nodeId: id })
    }
    open.push(id)
    const named = build(id)
    for (const inner of neededOutputs(graph.nodes.get(id)!, graph, catalog)) visit(inner)
    open.pop()
    done.set(id, named)
  }
  for (const id of roots) visit(id)
  return done
}

/** The outputs of the nodes of one answer. Each node runs once, when something needs it. */
export type NamedRun = {
  /** Whether a node takes part: every branch that it hangs on is taken. */
  isTaken(nodeId: string): Promise<boolean>
  /** The outputs that a node needs, by id. Nodes that do not need one another run at the same time. */
  outputsFor(nodeId: string): Promise<NamedOutputs>
  output(nodeId: string): Promise<NamedOutput>
  /** What the nodes that have run have cost. */
  usage(): TokenUsage
}

/**
 * Runs the nodes that {@link buildNamedParts} has built.
 *
 * @param run runs one node. A failure of it is that of all that need it; others are then not waited for
 */
export function runNamed(
  { graph, catalog }: NamedGraph,
  run: (nodeId: string, outputs: NamedOutputs) => Promise<NamedOutput>,
): NamedRun {
  const taken = new Map<string, Promise<boolean>>()
  const outputs = new Map<string, Promise<NamedOutput>>()
  let usage = NO_TOKENS

  const isTaken = (id: string): Promise<boolean> =>
    once(taken, id, async () => {
      for (const branch of graph.branches.filter(({ to }) => to === id))
        if (!(await isTaken(branch.from)) || (await output(branch.from)).branch !== branch.taken) return false
      const node = graph.nodes.get(id)!
      for (const source of readsVariable(node) ? [] : sourcesOf(node, graph, catalog))
        if (graph.nodes.has(source) && !(await isTaken(source))) return false
      return true
    })

  const output = (id: string): Promise<NamedOutput> =>
    once(outputs, id, async () => {
      const made = await run(id, await outputsFor(id))
      usage = addUsage(usage, made.usage)
      return made
    })

  async function outputsFor(id: string): Promise<NamedOutputs> {
    const needed = neededOutputs(graph.nodes.get(id)!, graph, catalog)
    const known = needed.map(async (one) =>
      (await isTaken(one)) ? [[one, (await output(one)).value] as const] : [],
    )
    return new Map((await Promise.all(known)).flat())
  }

  return { isTaken, outputsFor, output, usage: () => usage }
}

function once<T>(made: Map<string, Promise<T>>, id: string, make: () => Promise<T>): Promise<T> {
  const found = made.get(id) ?? make()
  made.set(id, found)
  return found
}
