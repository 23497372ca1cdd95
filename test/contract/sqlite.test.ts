import { randomToken } from '../../src/kit/hash.ts'
import { apiKeyStore } from '../../src/db/repositories/api-keys.ts'
import { auditStore } from '../../src/db/repositories/audit.ts'
import { feedbackStore } from '../../src/db/repositories/chat-feedback.ts'
import { chatMessageStore } from '../../src/db/repositories/chat-messages.ts'
import { Connection } from '../../src/db/sqlite/connection.ts'
import { chunkEditStore } from '../../src/db/repositories/chunk-edits.ts'
import { credentialStore } from '../../src/db/repositories/credentials.ts'
import { enginePlaceStore } from '../../src/db/repositories/engine-places.ts'
import { failedFileStore } from '../../src/db/repositories/failed-files.ts'
import { flowStateStore } from '../../src/db/repositories/flow-states.ts'
import { pausedRunStore } from '../../src/db/repositories/paused-runs.ts'
import { flowExecutionStore } from '../../src/db/repositories/flow-executions.ts'
import { flowDraftStore } from '../../src/db/repositories/flow-drafts.ts'
import { flowStore } from '../../src/db/repositories/flows.ts'
import { historyStore } from '../../src/db/repositories/history.ts'
import { jobStore } from '../../src/db/repositories/jobs.ts'
import { leadStore } from '../../src/db/repositories/leads.ts'
import { originalStore } from '../../src/db/repositories/originals.ts'
import { sessionStore } from '../../src/db/repositories/sessions.ts'
import { settingStore } from '../../src/db/repositories/settings.ts'
import { sessionOf } from '../../src/db/sqlite/sql.ts'
import { customToolStore } from '../../src/db/repositories/custom-tools.ts'
import { questionStore } from '../../src/db/repositories/questions.ts'
import { variableStore } from '../../src/db/repositories/variables.ts'
import { createSecretBox } from '../../src/kit/secret-box.ts'
import { temporaryDatabase } from '../support/store.ts'
import type { MakeRepositories } from './repositories.ts'
import { repositorySuites } from './repository-suites.ts'
import { sqlDatabaseSuite } from './sql-database.ts'

const box = createSecretBox(randomToken())

const makeRepositories: MakeRepositories = (t) => {
  const database = temporaryDatabase(t)
  return {
    flows: flowStore(database.sql),
    flowDrafts: flowDraftStore(database.sql),
    keys: apiKeyStore(database.sql),
    jobs: jobStore(database.sql, database.whenRoom),
    pausedRuns: pausedRunStore(database.sql),
    flowStates: flowStateStore(database.sql),
    flowExecutions: flowExecutionStore(database.sql),
    messages: chatMessageStore(database.sql),
    feedback: feedbackStore(database.sql),
    leads: leadStore(database.sql),
    credentials: credentialStore(database.sql, box),
    enginePlaces: enginePlaceStore(database.sql, box),
    variables: variableStore(database.sql),
    customTools: customToolStore(database.sql),
    questions: questionStore(database.sql),
    history: historyStore(database.sql),
    settings: settingStore(database.sql),
    sessions: sessionStore(database.sql),
    audit: auditStore(database.sql),
    originals: originalStore(database.sql),
    failedFiles: failedFileStore(database.sql),
    chunkEdits: chunkEditStore(database.sql),
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
