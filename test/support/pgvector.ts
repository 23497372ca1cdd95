import { Socket } from 'node:net'
import type { TestContext } from 'node:test'
import {
  type PgVectorEngine,
  type PgVectorOptions,
  pgVectorEngine,
} from '../../src/stores/pgvector/engine.ts'
import { administer, pgVectorServer } from './postgres.ts'

/** What tests set of an engine; the rest is for small data. */
export type PgVectorChoice = Partial<PgVectorOptions> & { database?: string; port?: number }

let databases = 0

/** The name of a new database of the server with pgvector. */
export async function pgVectorDatabase(): Promise<string> {
  const database = `vectors_${++databases}`
  await administer(await pgVectorServer(), `CREATE DATABASE ${database}`)
  return database
}

/** An engine over a database; it is not closed. */
export async function pgVectorOver({
  database,
  port,
  ...options
}: PgVectorChoice & { database: string }): Promise<PgVectorEngine> {
  return pgVectorEngine({
    name: `postgres test/${database}`,
    server: {
      host: '127.0.0.1',
      port: port ?? (await pgVectorServer()).port,
      database,
      ssl: false,
      login: async () => ({ user: 'sluice', password: '' }),
      socket: () => new Socket(),
    },
    tables: { table: 'documents' },
    metric: 'cosine',
    outside: { contentColumn: 'pageContent' },
    ...options,
  })
}

/** An engine over a database of its own, closed after the test. */
export async function temporaryPgVector(
  t: TestContext,
  choice: PgVectorChoice = {},
): Promise<PgVectorEngine> {
  const engine = await pgVectorOver({ database: await pgVectorDatabase(), ...choice })
  t.after(() => engine.close())
  return engine
}
