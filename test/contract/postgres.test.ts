import { postgresApiKeys } from '../../src/db/postgres/api-keys.ts'
import { postgresAudit } from '../../src/db/postgres/audit.ts'
import { postgresFeedback } from '../../src/db/postgres/chat-feedback.ts'
import { postgresChatMessages } from '../../src/db/postgres/chat-messages.ts'
import { postgresCredentials } from '../../src/db/postgres/credentials.ts'
import { postgresFlowExecutions } from '../../src/db/postgres/flow-executions.ts'
import { postgresFlows } from '../../src/db/postgres/flows.ts'
import { postgresHistory } from '../../src/db/postgres/history.ts'
import { postgresJobs } from '../../src/db/postgres/jobs.ts'
import { postgresLeads } from '../../src/db/postgres/leads.ts'
import { postgresFailedFiles } from '../../src/db/postgres/failed-files.ts'
import { postgresOriginals } from '../../src/db/postgres/originals.ts'
import { postgresPausedRuns } from '../../src/db/postgres/paused-runs.ts'
import { postgresSessions } from '../../src/db/postgres/sessions.ts'
import { postgresSettings } from '../../src/db/postgres/settings.ts'
import { postgresVariables } from '../../src/db/postgres/variables.ts'
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
    flows: postgresFlows(database),
    keys: postgresApiKeys(database),
    jobs: postgresJobs(database),
    pausedRuns: postgresPausedRuns(database),
    flowExecutions: postgresFlowExecutions(database),
    messages: postgresChatMessages(database),
    feedback: postgresFeedback(database),
    leads: postgresLeads(database),
    credentials: postgresCredentials(database, box),
    variables: postgresVariables(database),
    history: postgresHistory(database),
    settings: postgresSettings(database),
    sessions: postgresSessions(database),
    audit: postgresAudit(database),
    originals: postgresOriginals(database),
    failedFiles: postgresFailedFiles(database),
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
