import { endExecutionsOfLostRuns } from '../../src/db/postgres/chat-runs.ts'
import { flowExecutionStore } from '../../src/db/repositories/flow-executions.ts'
import { postgresJobStore } from '../../src/db/postgres/jobs.ts'
import { rowStores } from '../../src/backend/row-stores.ts'
import { randomToken } from '../../src/kit/hash.ts'
import { createSecretBox } from '../../src/kit/secret-box.ts'
import { temporaryPostgres } from '../support/postgres.ts'
import type { MakeRepositories } from './repositories.ts'
import { repositorySuites } from './repository-suites.ts'
import { sqlDatabaseSuite } from './sql-database.ts'
import { needs } from '../support/needs.ts'

await needs('PostgreSQL')

const box = createSecretBox(randomToken())

const makeRepositories: MakeRepositories = async (t) => {
  const database = await temporaryPostgres(t)
  const stores = rowStores(database.sql)
  return {
    ...stores,
    jobs: postgresJobStore(database),
    flowExecutions: flowExecutionStore(database.sql, endExecutionsOfLostRuns),
    credentials: stores.credentials(box),
    enginePlaces: stores.enginePlaces(box),
    async sql(text) {
      await database.writer.run(text)
    },
  }
}

repositorySuites('PostgreSQL', makeRepositories)

sqlDatabaseSuite('PostgreSQL', async (t) => {
  const database = await temporaryPostgres(t)
  return { database: database.sql, session: database.writer }
})
