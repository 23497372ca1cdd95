import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import type { StreamReader } from './reader.ts'
import { BINARY, type Cell, rowColumns } from './row-columns.ts'

/**
 * Reads the rows of one SELECT, a document each: a line `name: value` per column, or only the value if
 * `contentColumns` names one column. NULL values are left out. The database is opened read-only. A statement that is
 * not a SELECT, and several statements, are refused before anything runs.
 */
export const readSqlite: StreamReader = async function* (file, options) {
  const refuse = (reason: string, cause?: unknown) =>
    new SluiceError('file_unreadable', { file: file.name, reason }, { cause })
  const attempt = <T>(step: () => T): T => {
    try {
      return step()
    } catch (error) {
      throw refuse(reasonOf(error), error)
    }
  }

  if (!('path' in file)) throw refuse('a database inside another file is not read')
  const { query = '' } = options
  if (!SELECT.test(query)) throw refuse('the query is not a SELECT')
  const database = attempt(() => new DatabaseSync(file.path, { readOnly: true, timeout: LOCK_MS }))
  try {
    const statement = attempt(() => database.prepare(query))
    if (!REST.test(query.trimStart().slice(statement.sourceSQL.trimStart().length)))
      throw refuse('the query has more than one statement')
    const columns = attempt(() =>
      rowColumns(
        statement.columns().map(({ name }) => name),
        options,
      ),
    )
    statement.setReadBigInts(true)
    statement.setReturnArrays(true)
    const rows = attempt(() => statement.iterate()) as unknown as Iterator<SQLOutputValue[]>
    const next = () => attempt(() => rows.next())
    for (let row = next(); !row.done; row = next()) {
      const found = columns.document(row.value.map(cellOf))
      if (found.pageContent !== '') yield { ...found, last: true }
    }
    const { note, dropped } = columns.skipped()
    if (note !== undefined) yield { note }
    for (const one of dropped) yield { dropped: one }
  } finally {
    database.close()
  }
}

/** How long another program may keep the database locked. */
const LOCK_MS = 5000

const SPACE = String.raw`(?:\s|--[^\n]*(?:\n|$)|/\*[\s\S]*?\*/)*`
const SELECT = new RegExp(`^${SPACE}(?:select|with|values)\\b`, 'i')
const REST = new RegExp(`^(?:${SPACE};?)*$`)

/** An integer that JavaScript cannot represent becomes a text, with all its digits. */
function cellOf(value: SQLOutputValue): Cell {
  if (value instanceof Uint8Array) return BINARY
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}
