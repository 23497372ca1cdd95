import type { JsonSchema } from '../../contract/tool.ts'
import { isObject, type JsonObject, parseJson } from '../../kit/json.ts'

/** An input of a custom tool. */
export type ToolInputRow = { property: string; type: ToolInputType; description: string; required: boolean }

export const TOOL_INPUT_TYPES = ['string', 'number', 'boolean', 'date', 'object', 'array'] as const
export type ToolInputType = (typeof TOOL_INPUT_TYPES)[number]

const MOST_ROWS = 100
const LONGEST_PROPERTY = 100

/**
 * Reads the schema of a custom tool: JSON text of a list of rows `{property, type, description, required}`; an empty text is
 * an empty list.
 *
 * @throws Error that names the row, from 1
 */
export function readToolRows(schema: string): ToolInputRow[] {
  if (schema.trim() === '') return []
  const rows = parseJson(schema)
  if (!Array.isArray(rows))
    throw new Error('expected a JSON list of rows {"property", "type", "description", "required"}')
  if (rows.length > MOST_ROWS) throw new Error(`it has ${rows.length} rows, at most ${MOST_ROWS} are taken`)
  const taken = new Set<string>()
  return rows.map((row, index) => {
    const place = `row ${index + 1}`
    if (!isObject(row)) throw new Error(`${place} is not an object`)
    const { property, type, description, required } = row as JsonObject
    if (typeof property !== 'string' || property.trim() === '') throw new Error(`${place} has no property`)
    const name = property.trim()
    if (name.length > LONGEST_PROPERTY)
      throw new Error(`the property of ${place} is longer than ${LONGEST_PROPERTY} characters`)
    if (['__proto__', 'constructor', 'prototype'].includes(name))
      throw new Error(`${place} cannot have the property ${name}`)
    if (taken.has(name)) throw new Error(`${place} has the property ${name} of an earlier row`)
    taken.add(name)
    return {
      property: name,
      type: typeOf(type, place),
      description: typeof description === 'string' ? description : '',
      required: required === true || required === 'true',
    }
  })
}

function typeOf(type: unknown, place: string): ToolInputType {
  const written = typeof type === 'string' ? type.trim().toLowerCase() : 'string'
  const known = TOOL_INPUT_TYPES.find((one) => one === written)
  if (known) return known
  throw new Error(
    `${place} has the type ${written.slice(0, 40)}, expected one of ${TOOL_INPUT_TYPES.join(', ')}`,
  )
}

/** The schema that a model sees, and that its input has to fit. */
export function customToolSchema(rows: readonly ToolInputRow[]): JsonSchema {
  const required = rows.filter((row) => row.required).map(({ property }) => property)
  return {
    type: 'object',
    properties: Object.fromEntries(rows.map((row) => [row.property, valueSchema(row)])),
    ...(required.length > 0 ? { required } : {}),
  }
}

function valueSchema({ type, description }: ToolInputRow): JsonSchema {
  const about = description === '' ? {} : { description }
  if (type === 'date') return { type: 'string', ...about, description: dateText(description) }
  return { type, ...(type === 'array' ? { items: {} } : {}), ...about }
}

const dateText = (description: string) =>
  `${description === '' ? '' : `${description}. `}A date or time in ISO 8601`
