import { rowStores } from '../../src/backend/row-stores.ts'
import { randomToken } from '../../src/kit/hash.ts'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { flowExecutionStore } from '../../src/db/repositories/flow-executions.ts'
import { jobStore } from '../../src/db/repositories/jobs.ts'
import { sessionOf } from '../../src/db/sqlite/sql.ts'
import { createSecretBox } from '../../src/kit/secret-box.ts'
import { temporaryDatabase } from '../support/store.ts'
import type { MakeRepositories } from './repositories.ts'
import { repositorySuites } from './repository-suites.ts'
import { sqlDatabaseSuite } from './sql-database.ts'

const box = createSecretBox(randomToken())

const makeRepositories: MakeRepositories = (t) => {
  const database = temporaryDatabase(t)
  const stores = rowStores(database.sql)
  return {
    ...stores,
    jobs: jobStore(database.sql, database.whenRoom),
    flowExecutions: flowExecutionStore(database.sql),
    credentials: stores.credentials(box),
    enginePlaces: stores.enginePlaces(box),
    async sql(text) {
      const connection = new Connection(database.file)
      connection.exec(text)
      connection.close()
    },
  }
}

repositorySuites('SQLite', makeRepositories)

sqlDatabaseSuite('SQLite', async (t) => {
  const database = temporaryDatabase(t)
  const connection = new Connection(database.file)
  t.after(() => connection.close())
  return { database: database.sql, session: sessionOf(connection) }
})
