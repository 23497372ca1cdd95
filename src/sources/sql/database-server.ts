import type { LoaderItem } from '../../contract/loader.ts'
import { rowColumns } from '../../formats/row-columns.ts'
import { firstTableIn, whyNotRead } from './query-text.ts'
import { queryFailure, QueryRefusal, type QueryRows, type ServerQuery } from './row-stream.ts'

/** The kinds of database servers, with the port that they listen on and the kind of credential that they take. Their clients are loaded with the first query. */
export const DATABASE_SERVERS = {
  postgresql: {
    label: 'PostgreSQL',
    port: 5432,
    credential: 'PostgresApi',
    rows: async (...asked) => (await import('./postgres-rows.ts')).cursorRows(...asked),
  },
  mysql: {
    label: 'MySQL or MariaDB',
    port: 3306,
    credential: 'MySQLApi',
    rows: async (...asked) => (await import('./mysql-rows.ts')).mysqlRows(...asked),
  },
} as const satisfies Record<string, { label: string; port: number; credential: string; rows: QueryRows }>

export type DatabaseServerQuery = ServerQuery & {
  kind: keyof typeof DATABASE_SERVERS
  contentColumns: string[] | undefined
  metadataColumns: string[] | undefined
}

/** The documents that are passed on together. */
const BATCH = 50

/** The rows of a query to a database server as one item, a document each, in the order of the server. */
export function databaseServerItem(settings: DatabaseServerQuery): LoaderItem {
  const { kind, host, database, query, contentColumns = [], metadataColumns = [] } = settings
  const source = `${host}/${database}/${firstTableIn(query)}`
  return {
    name: source,
    source,
    async *read(signal) {
      try {
        const refused = whyNotRead(query)
        if (refused !== undefined) throw new QueryRefusal(refused)
        const { names, rows, close } = await DATABASE_SERVERS[kind].rows(settings, signal)
        const iterator = rows[Symbol.asyncIterator]()
        try {
          const columns = columnsOf(names, { contentColumns, metadataColumns })
          let parts = []
          for (let row = await iterator.next(); !row.done; row = await iterator.next()) {
            const { pageContent, metadata } = columns.document(row.value)
            if (pageContent !== '') parts.push({ pageContent, metadata: { source, ...metadata }, last: true })
            if (parts.length < BATCH) continue
            yield { parts, notes: [] }
            parts = []
          }
          const { note, dropped } = columns.skipped()
          yield { parts, notes: note === undefined ? [] : [note], ...(dropped.length > 0 ? { dropped } : {}) }
        } finally {
          await iterator.return?.()
          // An iterator that has not begun does not end anything.
          await close()
        }
      } catch (error) {
        throw queryFailure(error, source)
      }
    },
  }
}

/** @throws QueryRefusal for a name that is not a column */
function columnsOf(names: string[], options: { contentColumns: string[]; metadataColumns: string[] }) {
  try {
    return rowColumns(names, options)
  } catch (error) {
    throw new QueryRefusal((error as Error).message)
  }
}
