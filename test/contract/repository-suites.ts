import { apiKeyStoreSuite } from './api-key-store.ts'
import { auditStoreSuite } from './audit-store.ts'
import { calledMethods, everyMethodIsCalled } from './called-methods.ts'
import { chatMessageStoreSuite } from './chat-message-store.ts'
import { chunkEditStoreSuite } from './chunk-edit-store.ts'
import { credentialStoreSuite } from './credential-store.ts'
import { enginePlaceStoreSuite } from './engine-place-store.ts'
import { failedFileStoreSuite } from './failed-file-store.ts'
import { feedbackStoreSuite } from './feedback-store.ts'
import { flowExecutionStoreSuite } from './flow-execution-store.ts'
import { flowStateStoreSuite } from './flow-state-store.ts'
import { flowDraftStoreSuite } from './flow-draft-store.ts'
import { flowStoreSuite } from './flow-store.ts'
import { historyStoreSuite } from './history-store.ts'
import { jobStoreSuite } from './job-store.ts'
import { leadStoreSuite } from './lead-store.ts'
import { originalStoreSuite } from './original-store.ts'
import { pausedRunStoreSuite } from './paused-run-store.ts'
import { questionStoreSuite } from './question-store.ts'
import type { MakeRepositories, Repositories } from './repositories.ts'
import { sessionStoreSuite } from './session-store.ts'
import { settingStoreSuite } from './setting-store.ts'
import { customToolStoreSuite } from './custom-tool-store.ts'
import { variableStoreSuite } from './variable-store.ts'

/** Runs the suites of all repositories against one database. */
export function repositorySuites(name: string, make: MakeRepositories): void {
  const methods = calledMethods()
  const watched: MakeRepositories = async (t) => {
    const { sql, ...stores } = await make(t)
    const entries = Object.entries(stores).map(([store, object]) => [store, methods.watch(store, object)])
    return { ...(Object.fromEntries(entries) as typeof stores), sql } satisfies Repositories
  }
  for (const suite of [
    flowStoreSuite,
    flowDraftStoreSuite,
    apiKeyStoreSuite,
    auditStoreSuite,
    jobStoreSuite,
    pausedRunStoreSuite,
    flowExecutionStoreSuite,
    flowStateStoreSuite,
    chatMessageStoreSuite,
    feedbackStoreSuite,
    leadStoreSuite,
    credentialStoreSuite,
    enginePlaceStoreSuite,
    variableStoreSuite,
    customToolStoreSuite,
    historyStoreSuite,
    settingStoreSuite,
    sessionStoreSuite,
    originalStoreSuite,
    questionStoreSuite,
    failedFileStoreSuite,
    chunkEditStoreSuite,
  ])
    suite(name, watched)
  everyMethodIsCalled(name, methods)
}
