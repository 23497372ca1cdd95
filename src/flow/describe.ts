import type { Field } from '../contract/field.ts'
import { isEmptyInput } from '../cards/field.ts'
import type { Json } from '../kit/json.ts'
import type { Catalog } from './catalog.ts'
import type { FlowNode } from './graph.ts'

/** The most characters of a value: the history does not store documents. */
const SHOWN = 500

/** Replaces a value that can hold a secret. */
export const HIDDEN_VALUE = '********'

/**
 * The inputs of nodes in the shape of Flowise's upsert history: `[{label, name, category, id, paramValues:
 * [{label, name, type, value}]}]`. Inputs that can hold a secret, or lead to one, show only that they were set.
 */
export function describeNodes(nodes: readonly FlowNode[], catalog: Catalog): Json[] {
  return nodes.map(({ label, name, category, id, inputs }) => {
    const card = catalog.get(name)
    return {
      label,
      name,
      category: card?.category ?? category,
      id,
      paramValues: Object.entries(card?.fields ?? {})
        .filter(([input]) => !isEmptyInput(inputs[input]))
        .map(([input, field]) => ({
          label: field.label,
          name: input,
          type: field.type,
          value: shown(field, inputs[input]),
        })),
    }
  })
}

const shown = (field: Field<unknown>, value: unknown): Json => {
  if (field.guard !== undefined || field.type === 'password') return HIDDEN_VALUE
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : (value as Json)
}
