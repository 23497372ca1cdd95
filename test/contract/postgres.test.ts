import { apiKeyStore } from '../../src/db/repositories/api-keys.ts'
import { auditStore } from '../../src/db/repositories/audit.ts'
import { feedbackStore } from '../../src/db/repositories/chat-feedback.ts'
import { chatMessageStore } from '../../src/db/repositories/chat-messages.ts'
import { chunkEditStore } from '../../src/db/repositories/chunk-edits.ts'
import { credentialStore } from '../../src/db/repositories/credentials.ts'
import { endExecutionsOfLostRuns } from '../../src/db/postgres/chat-runs.ts'
import { flowExecutionStore } from '../../src/db/repositories/flow-executions.ts'
import { flowDraftStore } from '../../src/db/repositories/flow-drafts.ts'
import { flowStore } from '../../src/db/repositories/flows.ts'
import { historyStore } from '../../src/db/repositories/history.ts'
import { postgresJobStore } from '../../src/db/postgres/jobs.ts'
import { leadStore } from '../../src/db/repositories/leads.ts'
import { enginePlaceStore } from '../../src/db/repositories/engine-places.ts'
import { failedFileStore } from '../../src/db/repositories/failed-files.ts'
import { originalStore } from '../../src/db/repositories/originals.ts'
import { flowStateStore } from '../../src/db/repositories/flow-states.ts'
import { pausedRunStore } from '../../src/db/repositories/paused-runs.ts'
import { sessionStore } from '../../src/db/repositories/sessions.ts'
import { settingStore } from '../../src/db/repositories/settings.ts'
import { customToolStore } from '../../src/db/repositories/custom-tools.ts'
import { questionStore } from '../../src/db/repositories/questions.ts'
import { variableStore } from '../../src/db/repositories/variables.ts'
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
  return {
    flows: flowStore(database.sql),
    flowDrafts: flowDraftStore(database.sql),
    keys: apiKeyStore(database.sql),
    jobs: postgresJobStore(database),
    pausedRuns: pausedRunStore(database.sql),
    flowStates: flowStateStore(database.sql),
    flowExecutions: flowExecutionStore(database.sql, endExecutionsOfLostRuns),
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
      await database.writer.run(text)
    },
  }
}

repositorySuites('PostgreSQL', makeRepositories)

sqlDatabaseSuite('PostgreSQL', async (t) => {
  const database = await temporaryPostgres(t)
  return { database: database.sql, session: database.writer }
})
