import { isEmptyInput } from '../cards/field.ts'
import type { NodeCard } from '../contract/card.ts'
import type { ComparedDrawing, VariantChange } from '../contract/comparison.ts'
import type { Field } from '../contract/field.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { isObject, type Json, parseJson } from '../kit/json.ts'
import { didYouMean } from '../kit/suggest.ts'
import type { FlowSource } from './apply-request.ts'
import type { Catalog } from './catalog.ts'
import { type FlowNode, readGraph } from './graph.ts'
import { findStoreNode, participants } from './participants.ts'

/** A node of a drawing as it is stored. */
type DrawnNode = { id?: unknown; data: { id?: unknown; inputs?: Record<string, unknown> } }

/**
 * The flow with the inputs of a variant, and what they were. Its drawing is that of `flow`, which may be a revision. Secrets and files are not set here.
 *
 * @throws SluiceError `variant_invalid`
 */
export function drawVariant(
  catalog: Catalog,
  flow: FlowSource,
  { name, inputs = {} }: Pick<ComparedDrawing, 'name' | 'inputs'>,
): { flow: FlowSource; changes: VariantChange[] } {
  const wanted = Object.entries(inputs)
  if (wanted.length === 0) return { flow, changes: [] }
  const changes: VariantChange[] = []
  const refuse = (reason: string): never => {
    throw new SluiceError('variant_invalid', { variant: name, reason })
  }
  const graph = readGraph(flow.flowData)
  const nodes = participants(graph, catalog, findStoreNode(graph, catalog, 'flow_cannot_query'))
  const drawn = parseJson(flow.flowData) as { nodes: unknown[] }
  for (const [key, value] of wanted) {
    const dot = key.indexOf('.')
    const [id, input] = dot < 0 ? [undefined, key] : [key.slice(0, dot), key.slice(dot + 1)]
    if (id !== undefined && !nodes.some((node) => node.id === id))
      return refuse(
        `no node ${id} takes part in its search${hintOf(
          id,
          nodes.map((node) => node.id),
        )}`,
      )
    const having = nodes.filter(
      (node) => (id === undefined || node.id === id) && fieldOf(catalog, node, input) !== undefined,
    )
    if (having.length === 0)
      return refuse(`no node has the input ${input}${hintOf(input, namesOf(catalog, nodes, id))}`)
    for (const node of having) {
      const field = fieldOf(catalog, node, input)!
      const to = checked(field, value)
      changes.push({
        ...{ nodeId: node.id, input, label: field.label },
        ...{ from: shownValue(field, node.inputs[input]), to: shownValue(field, to) },
      })
      setInput(drawn.nodes, node.id, input, to)
    }
  }
  return { flow: { ...flow, flowData: JSON.stringify(drawn) }, changes }

  function checked(field: Field<unknown>, value: Json): Json {
    if (field.type === 'password' || field.type === 'credential' || field.type === 'file')
      return refuse(`${field.label} is a secret or a file: change it in a drawing`)
    try {
      if (value !== null && value !== '') field.read(value)
    } catch (error) {
      return refuse(`${field.label} cannot be that: ${reasonOf(error)}`)
    }
    return value
  }
}

/** The most characters of a value that is shown. */
const LONGEST = 200

function shownValue(field: Field<unknown>, raw: unknown): Json {
  const value = (isEmptyInput(raw) ? field.fallback : raw) ?? null
  return field.guard !== undefined || JSON.stringify(value).length > LONGEST ? null : (value as Json)
}

const cardOf = (catalog: Catalog, { name }: FlowNode): NodeCard | undefined => catalog.get(name)

function fieldOf(catalog: Catalog, node: FlowNode, input: string): Field<unknown> | undefined {
  const fields = cardOf(catalog, node)?.fields
  return fields && Object.hasOwn(fields, input) ? fields[input] : undefined
}

const namesOf = (catalog: Catalog, nodes: readonly FlowNode[], id: string | undefined): string[] =>
  nodes
    .filter((node) => id === undefined || node.id === id)
    .flatMap((node) => Object.keys(cardOf(catalog, node)?.fields ?? {}))

function hintOf(word: string, known: readonly string[]): string {
  const meant = didYouMean(word, new Set(known))
  return meant === undefined ? '' : `; ${meant}`
}

function setInput(nodes: readonly unknown[], id: string, input: string, value: Json): void {
  for (const raw of nodes) {
    if (!isObject(raw) || !isObject(raw.data)) continue
    const node = raw as unknown as DrawnNode
    if ((typeof node.id === 'string' ? node.id : node.data.id) !== id) continue
    node.data.inputs = { ...node.data.inputs, [input]: value }
  }
}
