import type { EngineSource } from '../../contract/engine-source.ts'
import type { Metric } from '../../contract/retrieval.ts'
import { lazyEngine } from '../lazy-engine.ts'
import { pgVectorCapabilities } from './capabilities.ts'
import type { PgVectorServer } from './connection.ts'
import type { TableNames } from './tables.ts'

/** What a card knows of a database with pgvector. */
export type PgVectorCard = {
  server: PgVectorServer
  tables: TableNames
  /** The column of the texts in a table of another program. */
  contentColumn: string
  metric: Metric
  /** The id of the credential. */
  credential: string | undefined
}

/** The engine over a database with pgvector, for a card. Nothing of it is loaded before its first use. */
export function pgVectorSource({
  server,
  tables,
  contentColumn,
  metric,
  credential,
}: PgVectorCard): EngineSource {
  const { host, port, database, ssl } = server
  const table = tables.schema === undefined ? tables.table : `${tables.schema}.${tables.table}`
  const name = `postgres ${host}:${port}/${database} ${table}`
  return {
    name,
    key: JSON.stringify([credential, metric, contentColumn, ssl]),
    create: () =>
      lazyEngine({ name, capabilities: pgVectorCapabilities(metric) }, async () => {
        const { pgVectorEngine } = await import('./engine.ts')
        return pgVectorEngine({ name, server, tables, metric, outside: { contentColumn } })
      }),
  }
}
