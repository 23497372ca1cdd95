import { test, type TestContext } from 'node:test'
import type { ApiKeyStore } from '../../src/contract/api-key-store.ts'
import type { AuditStore } from '../../src/contract/audit-store.ts'
import type { ChatMessageStore } from '../../src/contract/chat-message-store.ts'
import type { ChunkEditStore } from '../../src/contract/chunk-edit-store.ts'
import type { CredentialStore } from '../../src/contract/credential-store.ts'
import type { EnginePlaceStore } from '../../src/contract/engine-place-store.ts'
import type { PausedRunStore } from '../../src/contract/paused-run-store.ts'
import type { FeedbackStore } from '../../src/contract/feedback-store.ts'
import type { FlowExecutionStore } from '../../src/contract/flow-execution-store.ts'
import type { FailedFileStore } from '../../src/contract/failed-file-store.ts'
import type { FlowStateStore } from '../../src/contract/flow-state-store.ts'
import type { FlowDraftStore } from '../../src/contract/flow-draft-store.ts'
import type { FlowRow, FlowStore } from '../../src/contract/flow-store.ts'
import type { HistoryStore } from '../../src/contract/history-store.ts'
import type { JobStore } from '../../src/contract/job.ts'
import type { LeadStore } from '../../src/contract/lead-store.ts'
import type { OriginalStore } from '../../src/contract/original-store.ts'
import type { QuestionStore } from '../../src/contract/question-store.ts'
import type { SessionStore } from '../../src/contract/session-store.ts'
import type { SettingStore } from '../../src/contract/setting-store.ts'
import type { CustomToolStore } from '../../src/contract/custom-tool-store.ts'
import type { VariableStore } from '../../src/contract/variable-store.ts'

/** The repositories of one database. They are tested together: deleting a row of one removes rows of others. */
export type Repositories = {
  flows: FlowStore
  flowDrafts: FlowDraftStore
  keys: ApiKeyStore
  jobs: JobStore
  pausedRuns: PausedRunStore
  flowExecutions: FlowExecutionStore
  flowStates: FlowStateStore
  messages: ChatMessageStore
  feedback: FeedbackStore
  leads: LeadStore
  credentials: CredentialStore
  enginePlaces: EnginePlaceStore
  variables: VariableStore
  customTools: CustomToolStore
  history: HistoryStore
  settings: SettingStore
  sessions: SessionStore
  audit: AuditStore
  originals: OriginalStore
  questions: QuestionStore
  failedFiles: FailedFileStore
  chunkEdits: ChunkEditStore
  /** Runs SQL without values that means the same in every dialect, to prepare rows of other tables. */
  sql(text: string): Promise<void>
}

/** Opens an empty database, which is closed and removed after the test. */
export type MakeRepositories = (t: TestContext) => Repositories | Promise<Repositories>

/** Declares the tests of a suite: each gets repositories of its own. */
export const promisesOf =
  (name: string, make: MakeRepositories) =>
  (promise: string, check: (repositories: Repositories) => Promise<void>): void =>
    void test(`${name} ${promise}`, async (t) => check(await make(t)))

export const flowRow = (id: string, changes: Partial<FlowRow> = {}): FlowRow => ({
  id,
  slug: id,
  name: `Flow ${id}`,
  type: 'CHATFLOW',
  flowData: '{"nodes":[],"edges":[]}',
  config: {},
  apiKeyId: null,
  createdAt: 1,
  updatedAt: 1,
  revision: 1,
  ...changes,
})

/** Stores a flow for each id, which is its slug, too. */
export async function insertFlows({ flows }: Repositories, ...ids: string[]): Promise<void> {
  for (const id of ids) await flows.insert(flowRow(id))
}
