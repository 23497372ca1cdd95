import { randomToken } from '../../src/kit/hash.ts'
import { apiKeyStore } from '../../src/db/sqlite/api-keys.ts'
import { auditStore } from '../../src/db/sqlite/audit.ts'
import { feedbackStore } from '../../src/db/sqlite/chat-feedback.ts'
import { chatMessageStore } from '../../src/db/sqlite/chat-messages.ts'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { credentialStore } from '../../src/db/sqlite/credentials.ts'
import { failedFileStore } from '../../src/db/sqlite/failed-files.ts'
import { pausedRunStore } from '../../src/db/sqlite/paused-runs.ts'
import { flowExecutionStore } from '../../src/db/sqlite/flow-executions.ts'
import { flowStore } from '../../src/db/sqlite/flows.ts'
import { historyStore } from '../../src/db/sqlite/history.ts'
import { jobStore } from '../../src/db/sqlite/jobs.ts'
import { leadStore } from '../../src/db/sqlite/leads.ts'
import { originalStore } from '../../src/db/sqlite/originals.ts'
import { sessionStore } from '../../src/db/sqlite/sessions.ts'
import { settingStore } from '../../src/db/sqlite/settings.ts'
import { sessionOf } from '../../src/db/sqlite/sql.ts'
import { variableStore } from '../../src/db/sqlite/variables.ts'
import { createSecretBox } from '../../src/kit/secret-box.ts'
import { temporaryDatabase } from '../support/store.ts'
import type { MakeRepositories } from './repositories.ts'
import { repositorySuites } from './repository-suites.ts'
import { sqlDatabaseSuite } from './sql-database.ts'

const box = createSecretBox(randomToken())

const makeRepositories: MakeRepositories = (t) => {
  const database = temporaryDatabase(t)
  return {
    flows: flowStore(database),
    keys: apiKeyStore(database),
    jobs: jobStore(database),
    pausedRuns: pausedRunStore(database),
    flowExecutions: flowExecutionStore(database),
    messages: chatMessageStore(database),
    feedback: feedbackStore(database),
    leads: leadStore(database),
    credentials: credentialStore(database, box),
    variables: variableStore(database),
    history: historyStore(database),
    settings: settingStore(database),
    sessions: sessionStore(database),
    audit: auditStore(database),
    originals: originalStore(database),
    failedFiles: failedFileStore(database),
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
