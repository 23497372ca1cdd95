import type { Catalog } from './catalog.ts'
import type { FlowNode } from './graph.ts'
import { plainText } from './rich-text.ts'
import { expandWithin, type Scope } from './variables.ts'

/** State updates speak of what the node gives; they are filled once it has given it. */
const isLater = (input: string) => input.endsWith('UpdateState')

/** A node of an agent flow with its texts in plain and their places filled: rich text first, so that no value is taken for it. */
export function filledStep(node: FlowNode, catalog: Catalog, scope: Scope): FlowNode {
  const fields = catalog.get(node.name)?.fields ?? {}
  const inputs = Object.entries(node.inputs).flatMap(([name, value]) => {
    if (!Object.hasOwn(fields, name)) return []
    if (fields[name]!.type === 'code') return [[name, value]]
    const plain = plainWithin(value)
    return [[name, isLater(name) ? plain : expandWithin(plain, scope)]]
  })
  return { ...node, inputs: Object.fromEntries(inputs) }
}

function plainWithin(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value)
  if (Array.isArray(value)) return value.map(plainWithin)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainWithin(inner)]))
}
