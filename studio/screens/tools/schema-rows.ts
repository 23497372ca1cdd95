/** An input of a custom tool, as the form has it. */
export type SchemaRow = { property: string; type: string; description: string; required: boolean }

export const ROW_TYPES = ['string', 'number', 'boolean', 'date', 'object', 'array'] as const

/** The rows of a stored schema; undefined for a text that is none, which the form shows as it is. */
export function rowsOfSchema(schema: string): SchemaRow[] | undefined {
  if (schema.trim() === '') return []
  try {
    const rows: unknown = JSON.parse(schema)
    if (!Array.isArray(rows)) return undefined
    const read = rows.map(rowOf)
    return read.every((row) => row !== undefined) ? read : undefined
  } catch {
    return undefined
  }
}

function rowOf(row: unknown): SchemaRow | undefined {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return undefined
  const { property, type, description, required } = row as Record<string, unknown>
  return {
    property: typeof property === 'string' ? property : '',
    type: typeof type === 'string' ? type : 'string',
    description: typeof description === 'string' ? description : '',
    required: required === true || required === 'true',
  }
}

/** The rows as they are stored. */
export const schemaOfRows = (rows: readonly SchemaRow[]): string =>
  JSON.stringify(rows.map((row, id) => ({ id, ...row })))

/** An input to try a tool with: a value of the type for each row. */
export const sampleInput = (rows: readonly SchemaRow[]): string =>
  JSON.stringify(
    Object.fromEntries(rows.map(({ property, type }) => [property, SAMPLES[type] ?? ''])),
    null,
    2,
  )

const SAMPLES: Readonly<Record<string, unknown>> = {
  number: 1,
  boolean: true,
  date: '2026-01-31',
  object: {},
  array: [],
}
