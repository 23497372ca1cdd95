import type { ToolCallContext } from '../contract/tool.ts'
import type { ValuePart } from '../contract/value-part.ts'
import { sourcesOf } from '../flow/participants.ts'
import type { Catalog } from '../flow/catalog.ts'
import type { FlowGraph } from '../flow/graph.ts'
import { outputsIn } from '../flow/value-nodes.ts'
import { expandWithin, type VariableScope } from '../flow/variables.ts'
import type { Egress } from '../kit/egress/client.ts'
import { SluiceError } from '../kit/errors.ts'
import { type Json, type JsonObject, parseJson } from '../kit/json.ts'
import { guestFetch } from '../openapi/guest-fetch.ts'
import { codeRunner } from '../openapi/sandbox/code-runner.ts'
import { CodeFailure } from '../openapi/sandbox/run-code.ts'

export type ValueRunOptions = {
  graph: FlowGraph
  catalog: Catalog
  /** Builds a node that makes a value; its texts are those of the drawing. */
  partOf(nodeId: string): ValuePart
  /** The answer of a chain whose output a text names. */
  answerOf(nodeId: string, scope: VariableScope): Promise<Json>
  scope: VariableScope
  callContext: ToolCallContext
  egress: Egress
  signal: AbortSignal
}

/** The values of one answer. Each node runs once, when something needs it. */
export type ValueRun = {
  /** Whether a node takes part: every branch that it hangs on is taken. */
  isTaken(nodeId: string): Promise<boolean>
  /** The names of the run, and `ID.data.instance` of all nodes that a node needs. */
  scopeFor(nodeId: string): Promise<VariableScope>
  /** What a node that makes a value has made. @throws SluiceError `input_invalid` for code that fails */
  value(nodeId: string): Promise<Json>
}

const NO_CREDENTIALS = { headers: [], query: [], cookies: [] }
const NAME = /^([\w-]+)\.data\.instance$/

export function createValueRun(options: ValueRunOptions): ValueRun {
  const { graph, catalog, scope, callContext, egress, signal } = options
  const values = new Map<string, Promise<Json>>()
  const branches = new Map<string, Promise<boolean>>()
  const variables = new Map<string, Json>()
  const running = new Set<string>()

  const kindOf = (id: string) => {
    const node = graph.nodes.get(id)
    return node && catalog.get(node.name)?.kind
  }
  const sources = (id: string) => sourcesOf(graph.nodes.get(id)!, graph, catalog)

  /** Nodes that need each other were refused before. */
  const once = <T>(made: Map<string, Promise<T>>, id: string, make: () => Promise<T>): Promise<T> => {
    const found = made.get(id) ?? make()
    made.set(id, found)
    return found
  }

  async function isTaken(id: string, above: readonly string[] = []): Promise<boolean> {
    refuseCircle(id, above)
    for (const { from, taken } of graph.branches.filter(({ to }) => to === id)) {
      if (!(await isTaken(from, [...above, id]))) return false
      if ((await branchOf(from)) !== taken) return false
    }
    for (const source of sources(id))
      if (graph.nodes.has(source) && graph.nodes.get(id)!.name !== 'getVariable')
        if (!(await isTaken(source, [...above, id]))) return false
    return true
  }

  function refuseCircle(id: string, above: readonly string[]): void {
    if (!above.includes(id)) return
    const { label } = graph.nodes.get(id)!
    throw new SluiceError('flow_invalid', { reason: `${label} is plugged into itself`, nodeId: id })
  }

  async function scopeFor(id: string): Promise<VariableScope> {
    const found = new Map<string, Json>()
    const node = graph.nodes.get(id)!
    const named = new Set([...outputsIn(node.inputs), ...sources(id)])
    for (const source of named) {
      const kind = kindOf(source)
      if (kind === 'value') found.set(source, await value(source))
      else if (kind === 'answerer' && kindOf(id) === 'value')
        found.set(source, await once(values, source, () => answerOf(source)))
      else if (graph.nodes.has(source))
        for (const [name, inner] of await innerValues(source)) found.set(name, inner)
    }
    return (name) => {
      const source = NAME.exec(name)?.[1]
      return source !== undefined && found.has(source) ? found.get(source) : scope(name)
    }
  }

  /** The values that nodes below a node name: a prompt, a tool, a model. */
  async function innerValues(id: string): Promise<[string, Json][]> {
    const found: [string, Json][] = []
    for (const source of sources(id))
      if (kindOf(source) === 'value') found.push([source, await value(source)])
      else if (graph.nodes.has(source)) found.push(...(await innerValues(source)))
    return found
  }

  async function answerOf(id: string): Promise<Json> {
    return options.answerOf(id, await scopeFor(id))
  }

  function value(id: string): Promise<Json> {
    return once(values, id, async () => {
      if (running.has(id)) refuseCircle(id, [id])
      running.add(id)
      try {
        return await make(id, options.partOf(id))
      } finally {
        running.delete(id)
      }
    })
  }

  function branchOf(id: string): Promise<boolean> {
    return once(branches, id, async () => {
      await value(id)
      // The value of a node with branches has noted which one it takes.
      return taken.get(id) ?? true
    })
  }
  const taken = new Map<string, boolean>()

  async function make(id: string, part: ValuePart): Promise<Json> {
    switch (part.type) {
      case 'function':
        return (await run(id, part.code, part.inputs, 'Javascript Function')).value
      case 'condition': {
        const first = await run(id, part.code, part.inputs, 'If Function')
        taken.set(id, first.counts)
        return first.counts
          ? first.value
          : (await run(id, part.otherwise, part.inputs, 'Else Function')).value
      }
      case 'setVariable': {
        const kept = filled(part.input, await scopeFor(id))
        variables.set(part.variable, kept)
        return kept
      }
      case 'getVariable': {
        for (const setter of sources(id)) if (await isTaken(setter, [id])) await value(setter)
        const kept = variables.get(part.variable)
        if (kept !== undefined) return kept
        const reason = `nothing has set the variable ${part.variable}`
        throw refusal(id, 'Variable Name', reason)
      }
    }
  }

  /** The result of code, and whether it counts as true. */
  async function run(id: string, code: string, inputs: JsonObject, input: string) {
    const inner = await scopeFor(id)
    const given = Object.entries(inputs).map(([name, one]) => [
      `$${name.replace(/^\$/, '')}`,
      filled(one, inner),
    ])
    try {
      const text = await codeRunner.run({
        // As JSON: the kind of the result counts.
        code: `const result = await (async () => { ${code}\n})(); return JSON.stringify({ value: result ?? null, counts: !!result })`,
        values: {
          $flow: { ...callContext.flow },
          $vars: callContext.variables,
          ...Object.fromEntries(given),
        },
        fetch: (call, fetchSignal) =>
          guestFetch(call, { egress, origin: '', credentials: NO_CREDENTIALS }, fetchSignal),
        signal,
      })
      const { value: made = null, counts = false } = (parseJson(text) ?? {}) as Partial<Result>
      return { value: made, counts }
    } catch (error) {
      if (!(error instanceof CodeFailure)) throw error
      throw refusal(id, input, error.message)
    }
  }

  const refusal = (id: string, input: string, reason: string) =>
    new SluiceError('input_invalid', { node: graph.nodes.get(id)!.label, input, reason, nodeId: id })

  return { isTaken: (id) => isTaken(id), scopeFor, value }
}

type Result = { value: Json; counts: boolean }

const WHOLE = /^\s*\{\{\s*([^{}\n]+?)\s*\}\}\s*$/

/** A text that is one name keeps the kind of its value; other texts get it written in. */
function filled(drawn: Json, scope: VariableScope): Json {
  const name = typeof drawn === 'string' ? WHOLE.exec(drawn)?.[1] : undefined
  const value = name === undefined ? undefined : scope(name)
  return value ?? (expandWithin(drawn, scope) as Json)
}
