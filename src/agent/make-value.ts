import type { ValuePart } from '../contract/value-part.ts'
import type { FlowGraph, FlowNode } from '../flow/graph.ts'
import { settersOf } from '../flow/named-nodes.ts'
import { expandWithin, type VariableScope } from '../flow/variables.ts'
import type { Egress } from '../kit/egress/client.ts'
import { SluiceError } from '../kit/errors.ts'
import { type Json, type JsonObject, parseJson } from '../kit/json.ts'
import { guestFetch } from '../openapi/guest-fetch.ts'
import { codeRunner } from '../openapi/sandbox/code-runner.ts'
import { CodeFailure } from '../openapi/sandbox/run-code.ts'
import type { AnswerContext } from './answer-context.ts'
import type { NamedOutputs } from './chains/filled-prompt.ts'

/** The context of a node that makes a value. `scope`: the names of the run, and the outputs of the nodes that it needs. */
export type ValueContext = Pick<AnswerContext, 'node' | 'scope' | 'callContext'> & {
  graph: FlowGraph
  outputs: NamedOutputs
  egress: Egress
  signal: AbortSignal
}

const NO_CREDENTIALS = { headers: [], query: [], cookies: [] }

/**
 * The value of a node that makes one, `null` for code that returns nothing, and for a condition which branch it takes.
 *
 * @throws SluiceError `input_invalid` for code that fails, and for a variable that nothing has set
 */
export async function makeValue(
  part: ValuePart,
  context: ValueContext,
): Promise<{ value: Json; branch?: boolean }> {
  switch (part.type) {
    case 'function':
      return { value: (await run(part.code, part.inputs, 'Javascript Function', context)).value }
    case 'condition': {
      const { value, counts } = await run(part.code, part.inputs, 'If Function', context)
      if (counts) return { value, branch: true }
      const other = await run(part.otherwise, part.inputs, 'Else Function', context)
      return { value: other.value, branch: false }
    }
    case 'setVariable':
      return { value: filled(part.input, context.scope) }
    case 'getVariable': {
      const { node, graph, outputs } = context
      const setter = settersOf(node, graph).findLast((id) => outputs.has(id))
      if (setter !== undefined) return { value: outputs.get(setter)! }
      throw refusal(node, 'Variable Name', `nothing has set the variable ${part.variable}`)
    }
  }
}

type Result = { value: Json; counts: boolean }

/** The result of code, and whether it counts as true. */
async function run(
  code: string,
  inputs: JsonObject,
  input: string,
  { node, scope, callContext, egress, signal }: ValueContext,
): Promise<Result> {
  const given = Object.entries(inputs).map(([name, one]) => [
    `$${name.replace(/^\$/, '')}`,
    filled(one, scope),
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
    const { value = null, counts = false } = (parseJson(text) ?? {}) as Partial<Result>
    return { value, counts }
  } catch (error) {
    if (!(error instanceof CodeFailure)) throw error
    throw refusal(node, input, error.message)
  }
}

const refusal = ({ id, label }: FlowNode, input: string, reason: string) =>
  new SluiceError('input_invalid', { node: label, input, reason, nodeId: id })

const WHOLE = /^\{\{([^{}\n]+)\}\}$/

/** A text that is one name keeps the kind of its value; other texts get it written in. */
function filled(drawn: Json, scope: VariableScope): Json {
  const name = typeof drawn === 'string' ? WHOLE.exec(drawn.trim())?.[1]?.trim() : undefined
  const value = name === undefined ? undefined : scope(name)
  return value ?? (expandWithin(drawn, scope) as Json)
}
