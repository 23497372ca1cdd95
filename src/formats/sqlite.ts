import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import type { ParseOptions } from '../contract/file-parser.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import type { StreamReader } from './reader.ts'

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
    const columns = attempt(() => columnsOf(statement, options))
    const blobs = new Map<string, number>()
    statement.setReadBigInts(true)
    statement.setReturnArrays(true)
    const rows = attempt(() => statement.iterate()) as unknown as Iterator<SQLOutputValue[]>
    const next = () => attempt(() => rows.next())
    for (let row = next(); !row.done; row = next()) {
      const found = columns.values(row.value, blobs)
      if (found.pageContent !== '') yield { ...found, last: true }
    }
    if (blobs.size > 0) yield { note: `binary values were skipped, in ${[...blobs.keys()].join(', ')}` }
    for (const [column, count] of blobs)
      yield { dropped: { kind: 'skippedValue', count, place: { part: column } } }
  } finally {
    database.close()
  }
}

/** How long another program may keep the database locked. */
const LOCK_MS = 5000

const SPACE = String.raw`(?:\s|--[^\n]*(?:\n|$)|/\*[\s\S]*?\*/)*`
const SELECT = new RegExp(`^${SPACE}(?:select|with|values)\\b`, 'i')
const REST = new RegExp(`^(?:${SPACE};?)*$`)

/** Which columns of a row become its text, and which its metadata. @throws Error for a name that is not a column */
function columnsOf(statement: StatementSync, { contentColumns, metadataColumns = [] }: ParseOptions) {
  const names = statement.columns().map(({ name }) => name)
  if (names.length === 0) throw new Error('the query returns no rows')
  const places = (wanted: readonly string[]) =>
    wanted.map((name) => {
      const place = names.indexOf(name)
      if (place < 0) throw new Error(`the query returns no column ${name}`)
      return place
    })
  const content = contentColumns ? places(contentColumns) : [...names.keys()]
  const facts = places(metadataColumns)
  const bare = contentColumns?.length === 1

  return {
    values(
      row: readonly SQLOutputValue[],
      blobs: Map<string, number>,
    ): { pageContent: string; metadata: JsonObject } {
      const known = (place: number): [name: string, value: Json][] => {
        const value = row[place]!
        if (value instanceof Uint8Array) blobs.set(names[place]!, (blobs.get(names[place]!) ?? 0) + 1)
        return value === null || value instanceof Uint8Array ? [] : [[names[place]!, jsonOf(value)]]
      }
      const lines = content.flatMap(known).map(([name, value]) => (bare ? `${value}` : `${name}: ${value}`))
      return { pageContent: lines.join('\n'), metadata: Object.fromEntries(facts.flatMap(known)) }
    },
  }
}

/** An integer that JavaScript cannot represent becomes a text, with all its digits. */
function jsonOf(value: number | bigint | string): Json {
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}
