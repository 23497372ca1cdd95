import type { LoaderItem } from '../contract/loader.ts'
import type { Tool } from '../contract/tool.ts'
import { reasonOf } from '../kit/errors.ts'
import { failedCall } from './call.ts'

/** A database that is asked by statements which only read. */
export type AskedDatabase = {
  /** As models know its dialect: PostgreSQL. */
  dialect: string
  /** A statement that lists its columns, in the columns `table`, `column` and `type`. */
  columnsQuery: string
  /** A name in its dialect. */
  quoted(name: string): string
  /** The rows of a statement, a document each. `columns`: those that become metadata. */
  rows(query: string, columns?: string[]): LoaderItem | Promise<LoaderItem>
}

export type DatabaseToolOptions = {
  /** The only tables that the model is told of; all if there are none. */
  includes: readonly string[]
  /** Tables that the model is not told of. */
  ignores: readonly string[]
  /** How many rows of each table the model sees beforehand. */
  samples: number
  /** The most rows of an answer. */
  mostRows: number
}

/** In characters. */
const LONGEST_ANSWER = 20_000
const LONGEST_DESCRIPTION = 20_000

/** The database as a tool. It is asked for its tables first. @throws SluiceError where it does not answer */
export async function databaseTool(
  database: AskedDatabase,
  options: DatabaseToolOptions,
  signal: AbortSignal,
): Promise<Tool> {
  const { dialect } = database
  return {
    name: 'query_database',
    description: `Runs one SELECT in a ${dialect} database and returns its rows, ${options.mostRows} at most.\n\n${await tablesText(database, options, signal)}`,
    parameters: {
      type: 'object',
      properties: { query: { type: 'string', description: `One SELECT statement of ${dialect}` } },
      required: ['query'],
      additionalProperties: false,
    },
    async call({ query }, signal) {
      if (typeof query !== 'string' || query.trim() === '') return failedCall('query is missing')
      try {
        const { texts, more } = await readRows(await database.rows(query), options.mostRows, signal)
        if (texts.length === 0) return { output: 'No rows.' }
        const output = [...texts, ...(more ? [`There are more rows than ${options.mostRows}.`] : [])]
        return { output: output.join('\n\n').slice(0, LONGEST_ANSWER) }
      } catch (error) {
        signal.throwIfAborted()
        return failedCall(reasonOf(error))
      }
    },
  }
}

async function readRows(item: LoaderItem, most: number, signal: AbortSignal) {
  const texts: string[] = []
  for await (const { parts } of item.read(signal))
    for (const { pageContent } of parts) {
      if (texts.length === most) return { texts, more: true }
      texts.push(pageContent)
    }
  return { texts, more: false }
}

/** The tables with their columns, and the first rows of each. */
async function tablesText(
  database: AskedDatabase,
  { includes, ignores, samples }: DatabaseToolOptions,
  signal: AbortSignal,
): Promise<string> {
  const tables = new Map<string, string[]>()
  const item = await database.rows(database.columnsQuery, ['table', 'column', 'type'])
  for await (const { parts } of item.read(signal))
    for (const { metadata } of parts) {
      const table = String(metadata.table)
      if ((includes.length > 0 && !includes.includes(table)) || ignores.includes(table)) continue
      const columns = tables.get(table) ?? []
      tables.set(table, [...columns, `${String(metadata.column)} ${String(metadata.type ?? '')}`.trim()])
    }
  if (tables.size === 0) return 'It has no tables.'
  let text = 'Its tables:'
  for (const [table, columns] of tables) {
    text += `\n${database.quoted(table)} (${columns.join(', ')})`
    if (samples > 0 && text.length < LONGEST_DESCRIPTION) {
      const query = `SELECT * FROM ${database.quoted(table)} LIMIT ${samples}`
      const { texts } = await readRows(await database.rows(query), samples, signal)
      text += texts.map((row) => `\n  ${row.replaceAll('\n', ', ')}`).join('')
    }
    if (text.length > LONGEST_DESCRIPTION)
      return `${text.slice(0, LONGEST_DESCRIPTION)}\n… The list is longer than a description may be.`
  }
  return text
}
