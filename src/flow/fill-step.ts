import type { Fields } from '../contract/field.ts'
import { isEmptyInput } from '../cards/field.ts'
import type { Catalog } from './catalog.ts'
import type { FlowNode } from './graph.ts'
import { partsWithin } from './import/parts-within.ts'
import { plainText } from './rich-text.ts'
import { expandWithin, type VariableScope } from './variables.ts'

/** State updates refer to the output of the node: they are filled after it has run. */
const isLater = (input: string) => input.endsWith('UpdateState')

/**
 * A node of an agent flow with its rich texts as plain text and its variables filled in. Rich text is converted first, so
 * that HTML in a value stays as it is. Code is not filled: it reads variables by itself, and a user's input would run in it.
 */
export function filledStep(node: FlowNode, catalog: Catalog, scope: VariableScope): FlowNode {
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

/** Defaults with variables, such as `{{question}}`, of empty inputs: they are filled like written texts. */
const defaultsWithPlaces = (fields: Fields, inputs: Inputs): Inputs =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(
        ([name, { fallback }]) =>
          isEmptyInput(inputs[name]) && typeof fallback === 'string' && fallback.includes('{{'),
      )
      .map(([name, { fallback }]) => [name, fallback]),
  )

/** Restores the code of the parts within a node, such as the tools of an agent. */
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
