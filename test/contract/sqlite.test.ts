import { randomToken } from '../../src/kit/hash.ts'
import { apiKeyStore } from '../../src/db/sqlite/api-keys.ts'
import { feedbackStore } from '../../src/db/sqlite/chat-feedback.ts'
import { chatMessageStore } from '../../src/db/sqlite/chat-messages.ts'
import { credentialStore } from '../../src/db/sqlite/credentials.ts'
import { pausedRunStore } from '../../src/db/sqlite/paused-runs.ts'
import { flowExecutionStore } from '../../src/db/sqlite/flow-executions.ts'
import { flowStore } from '../../src/db/sqlite/flows.ts'
import { historyStore } from '../../src/db/sqlite/history.ts'
import { jobStore } from '../../src/db/sqlite/jobs.ts'
import { leadStore } from '../../src/db/sqlite/leads.ts'
import { sessionStore } from '../../src/db/sqlite/sessions.ts'
import { settingStore } from '../../src/db/sqlite/settings.ts'
import { variableStore } from '../../src/db/sqlite/variables.ts'
import { createSecretBox } from '../../src/kit/secret-box.ts'
import { temporaryDatabase } from '../support/store.ts'
import { apiKeyStoreSuite } from './api-key-store.ts'
import { chatMessageStoreSuite } from './chat-message-store.ts'
import { credentialStoreSuite } from './credential-store.ts'
import { pausedRunStoreSuite } from './paused-run-store.ts'
import { feedbackStoreSuite } from './feedback-store.ts'
import { flowExecutionStoreSuite } from './flow-execution-store.ts'
import { flowStoreSuite } from './flow-store.ts'
import { historyStoreSuite } from './history-store.ts'
import { jobStoreSuite } from './job-store.ts'
import { leadStoreSuite } from './lead-store.ts'
import type { MakeRepositories } from './repositories.ts'
import { sessionStoreSuite } from './session-store.ts'
import { settingStoreSuite } from './setting-store.ts'
import { variableStoreSuite } from './variable-store.ts'

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
  }
}

for (const suite of [
  flowStoreSuite,
  apiKeyStoreSuite,
  jobStoreSuite,
  pausedRunStoreSuite,
  flowExecutionStoreSuite,
  chatMessageStoreSuite,
  feedbackStoreSuite,
  leadStoreSuite,
  credentialStoreSuite,
  variableStoreSuite,
  historyStoreSuite,
  settingStoreSuite,
  sessionStoreSuite,
])
  suite('SQLite', makeRepositories)
