import { type Fields, isEmptyInput } from '../contract/field.ts'
import type { Catalog } from './catalog.ts'
import type { FlowNode } from './graph.ts'
import { partsWithin } from './import/dressed.ts'
import { plainText } from './rich-text.ts'
import { expandWithin, type Scope } from './variables.ts'

/** State updates speak of what the node gives; they are filled once it has given it. */
const isLater = (input: string) => input.endsWith('UpdateState')

/**
 * A node of an agent flow with its texts in plain and their places filled: rich text first, so that no value is taken
 * for it. Code stays as it was written: it has variables of its own, and what a user says would run in it.
 */
export function filledStep(node: FlowNode, catalog: Catalog, scope: Scope): FlowNode {
  const fields = catalog.get(node.name)?.fields ?? {}
  const known = Object.entries({ ...node.inputs, ...defaultsWithPlaces(fields, node.inputs) }).filter(
    ([name]) => Object.hasOwn(fields, name),
  )
  const inputs = Object.fromEntries(
    known.map(([name, value]) => {
      if (fields[name]!.type === 'code') return [name, value]
      const plain = plainWithin(value)
      return [name, isLater(name) ? plain : expandWithin(plain, scope)]
    }),
  )
  restoreCode(Object.fromEntries(known), inputs, catalog)
  return { ...node, inputs }
}

/** Defaults such as `{{question}}`, of inputs that are empty: their places are filled as those of a written text are. */
const defaultsWithPlaces = (fields: Fields, inputs: Inputs): Inputs =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(
        ([name, { fallback }]) =>
          isEmptyInput(inputs[name]) && typeof fallback === 'string' && fallback.includes('{{'),
      )
      .map(([name, { fallback }]) => [name, fallback]),
  )

/** The same for the parts that a node holds the inputs of, such as the tools of an agent. */
function restoreCode(drawn: Inputs, filled: Inputs, catalog: Catalog): void {
  const parts = [...partsWithin(filled)]
  for (const [index, { name, inputs }] of [...partsWithin(drawn)].entries())
    for (const [input, { type }] of Object.entries(catalog.get(name)?.fields ?? {}))
      if (type === 'code' && Object.hasOwn(inputs, input)) parts[index]!.inputs[input] = inputs[input]
}

type Inputs = Record<string, unknown>

function plainWithin(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value)
  if (Array.isArray(value)) return value.map(plainWithin)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainWithin(inner)]))
}
