import type { Predictor } from '../agent/prediction.ts'
import type { ApiKeyStore } from '../contract/api-key-store.ts'
import type { AuditStore } from '../contract/audit-store.ts'
import type { NodeServices } from '../contract/card.ts'
import type { ChatMessageStore } from '../contract/chat-message-store.ts'
import type { CredentialStore } from '../contract/credential-store.ts'
import type { FeedbackStore } from '../contract/feedback-store.ts'
import type { FlowExecutionStore } from '../contract/flow-execution-store.ts'
import type { FlowStore } from '../contract/flow-store.ts'
import type { HistoryStore } from '../contract/history-store.ts'
import type { LeadStore } from '../contract/lead-store.ts'
import type { SessionStore } from '../contract/session-store.ts'
import type { VariableStore } from '../contract/variable-store.ts'
import type { Catalog } from '../flow/catalog.ts'
import type { Config } from '../kit/config.ts'
import type { SluiceError } from '../kit/errors.ts'
import type { Log } from '../kit/log.ts'
import type { SecretMask } from '../kit/secret-mask.ts'
import type { Retriever } from '../retrieve/run.ts'
import type { BuiltInStores } from '../stores/built-in.ts'
import type { UpsertEngine } from '../upsert/engine.ts'
import type { Jobs } from '../upsert/jobs.ts'
import type { ReindexJobs } from '../upsert/reindex-job.ts'
import type { UpsertJobs } from '../upsert/upsert-job.ts'

/** All that the HTTP face stands on; `main.ts` makes it. */
export type Platform = {
  config: Config
  log: Log
  /** Replaces secrets in failures. */
  mask: SecretMask
  version: string
  flows: FlowStore
  keys: ApiKeyStore
  audit: AuditStore
  sessions: SessionStore
  credentials: CredentialStore
  stores: BuiltInStores
  catalog: Catalog
  /** What nodes are nodeServices while they are built. */
  nodeServices: NodeServices
  engine: UpsertEngine
  jobs: Jobs
  upserts: UpsertJobs
  reindexes: ReindexJobs
  history: HistoryStore
  retriever: Retriever
  /** Lets flows answer. */
  predictor: Predictor
  messages: ChatMessageStore
  /** What agent flows did. */
  executions: FlowExecutionStore
  feedback: FeedbackStore
  leads: LeadStore
  variables: VariableStore
  /** Known to this server alone; what it signs it has made. */
  secret: string
  /** Where uploads lie until no job needs them. */
  uploadDirectory: string
  /**
   * Whether the server can do its work; `checked` once its database is known to be sound.
   *
   * @throws SluiceError `not_ready`, `read_only`, `database_damaged`
   */
  readiness(): Promise<{ checked: boolean }>
  /** Why nothing is taken in for want of room on the disk; undefined while there is room. */
  shortage(): SluiceError | undefined
}
