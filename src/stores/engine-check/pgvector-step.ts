import { pgVectorConnection, type PgVectorServer } from '../pgvector/connection.ts'
import type { EngineStep } from './run-steps.ts'

const VERSIONS = `SELECT current_setting('server_version') AS server,
  (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS pgvector`

/** Whether a database has a pgvector that works; it installs it where the user may, as a flow would. */
export const pgVectorStep = (server: PgVectorServer): EngineStep => ({
  step: 'version',
  isFoundation: true,
  async run() {
    const connection = pgVectorConnection(`postgres ${server.host}:${server.port}/${server.database}`, server)
    try {
      const row = await connection.transaction((sql) =>
        sql.get<{ server: string; pgvector: string }>(VERSIONS),
      )
      return `PostgreSQL ${row!.server}, pgvector ${row!.pgvector}`
    } finally {
      await connection.close()
    }
  },
})
