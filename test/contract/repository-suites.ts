import { apiKeyStoreSuite } from './api-key-store.ts'
import { auditStoreSuite } from './audit-store.ts'
import { chatMessageStoreSuite } from './chat-message-store.ts'
import { credentialStoreSuite } from './credential-store.ts'
import { failedFileStoreSuite } from './failed-file-store.ts'
import { feedbackStoreSuite } from './feedback-store.ts'
import { flowExecutionStoreSuite } from './flow-execution-store.ts'
import { flowStoreSuite } from './flow-store.ts'
import { historyStoreSuite } from './history-store.ts'
import { jobStoreSuite } from './job-store.ts'
import { leadStoreSuite } from './lead-store.ts'
import { originalStoreSuite } from './original-store.ts'
import { pausedRunStoreSuite } from './paused-run-store.ts'
import type { MakeRepositories } from './repositories.ts'
import { sessionStoreSuite } from './session-store.ts'
import { settingStoreSuite } from './setting-store.ts'
import { variableStoreSuite } from './variable-store.ts'

/** Runs the suites of all repositories against one database. */
export function repositorySuites(name: string, make: MakeRepositories): void {
  for (const suite of [
    flowStoreSuite,
    apiKeyStoreSuite,
    auditStoreSuite,
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
    originalStoreSuite,
    failedFileStoreSuite,
  ])
    suite(name, make)
}
