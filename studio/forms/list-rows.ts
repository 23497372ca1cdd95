import { isObject, type Json, type JsonObject } from '../drawing/flow-file.ts'

/** The rows of a list input: a list, the same as JSON text, or nothing. Undefined for what cannot be shown as rows. */
export function listRows(value: Json | undefined): JsonObject[] | undefined {
  if (value === undefined || value === null || value === '') return []
  let list: unknown = value
  if (typeof value === 'string')
    try {
      list = JSON.parse(value)
    } catch {
      return undefined
    }
  return Array.isArray(list) && list.every(isObject) ? list : undefined
}

/** The names of all values of all rows, in the order in which they first occur. */
export const columnsOf = (rows: readonly JsonObject[]): string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row))),
]

/** A new row with the columns of the others. */
export const emptyRow = (rows: readonly JsonObject[]): JsonObject =>
  Object.fromEntries(columnsOf(rows).map((column) => [column, '']))

/** A value of a row from what was typed: a value that was not a text stays of its kind where it can. */
export function cellValue(text: string, before: Json | undefined): Json {
  if (before === undefined || typeof before === 'string') return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
