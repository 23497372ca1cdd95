import type { Predictor } from '../agent/prediction.ts'
import type { ApiKeyStore } from '../contract/api-key-store.ts'
import type { AuditStore } from '../contract/audit-store.ts'
import type { NodeServices } from '../contract/card.ts'
import type { ChatMessageStore } from '../contract/chat-message-store.ts'
import type { ChunkEditStore } from '../contract/chunk-edit-store.ts'
import type { SharedChatRuns } from '../contract/chat-run-store.ts'
import type { Readiness } from '../contract/dependency.ts'
import type { CredentialStore } from '../contract/credential-store.ts'
import type { FateShelf } from '../contract/dry-run.ts'
import type { FeedbackStore } from '../contract/feedback-store.ts'
import type { FlowExecutionStore } from '../contract/flow-execution-store.ts'
import type { FlowDraftStore } from '../contract/flow-draft-store.ts'
import type { FlowStore } from '../contract/flow-store.ts'
import type { FailedFileStore } from '../contract/failed-file-store.ts'
import type { HistoryStore } from '../contract/history-store.ts'
import type { LeadStore } from '../contract/lead-store.ts'
import type { QuestionStore } from '../contract/question-store.ts'
import type { RequestWindows } from '../contract/request-windows.ts'
import type { SessionStore } from '../contract/session-store.ts'
import type { CustomToolStore } from '../contract/custom-tool-store.ts'
import type { VariableStore } from '../contract/variable-store.ts'
import type { Catalog } from '../flow/catalog.ts'
import type { Config } from '../kit/config.ts'
import type { SluiceError } from '../kit/errors.ts'
import type { Log } from '../kit/log.ts'
import type { SecretMask } from '../kit/secret-mask.ts'
import type { Tracer } from '../kit/tracing.ts'
import type { PlatformMetrics } from '../observe/platform-metrics.ts'
import type { Metrics } from '../kit/metrics.ts'
import type { Retriever } from '../retrieve/run.ts'
import type { ChunkStores } from '../contract/chunk-store.ts'
import type { CompareJobs } from '../evaluate/comparison/compare-job.ts'
import type { QuestionJobs } from '../evaluate/questions/question-jobs.ts'
import type { DryRunJobs } from '../upsert/dry-run-job.ts'
import type { UpsertEngine } from '../upsert/engine.ts'
import type { Originals } from '../upsert/originals.ts'
import type { InvisibleSweep } from '../upsert/invisible-sweep.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { RepairJobs } from '../upsert/repair-job.ts'
import type { ReindexJobs } from '../upsert/reindex-job.ts'
import type { UpsertJobs } from '../upsert/upsert-job.ts'

/** The parts of Sluice that the HTTP server uses; `src/platform/open-platform.ts` makes them. */
export type Platform = {
  config: Config
  log: Log
  /** Replaces secrets in failures. */
  mask: SecretMask
  version: string
  flows: FlowStore
  flowDrafts: FlowDraftStore
  keys: ApiKeyStore
  audit: AuditStore
  sessions: SessionStore
  credentials: CredentialStore
  stores: ChunkStores
  /** Deletes chunks that readers do not see any more. */
  sweep: Pick<InvisibleSweep, 'soon'>
  /** Kept files of documents. */
  originals: Pick<Originals, 'open'>
  catalog: Catalog
  /** The services that nodes use: egress, file parser, credentials, … */
  nodeServices: NodeServices
  engine: UpsertEngine
  jobs: Jobs
  upserts: UpsertJobs
  dryRuns: DryRunJobs
  /** The fates of the chunks of dry runs. */
  fates: FateShelf
  reindexes: ReindexJobs
  /** Mend the points of separate engines; verifications only compare them. */
  repairs: RepairJobs
  verifications: RepairJobs
  /** Compare variants of flows. */
  comparisons: CompareJobs
  /** Ask flows their own questions. */
  evaluations: QuestionJobs
  questions: QuestionStore
  history: HistoryStore
  failedFiles: FailedFileStore
  chunkEdits: ChunkEditStore
  retriever: Retriever
  /** Answers questions with flows. */
  predictor: Predictor
  messages: ChatMessageStore
  /** Runs of agent flows. */
  executions: FlowExecutionStore
  /** Absent for a server with a database of its own. */
  sharedChatRuns?: SharedChatRuns | undefined
  feedback: FeedbackStore
  leads: LeadStore
  variables: VariableStore
  customTools: CustomToolStore
  tracer: Tracer
  /** The requests of each client of a flow with a limit. */
  windows: RequestWindows
  metrics: Pick<PlatformMetrics, 'requests' | 'shed'> & Pick<Metrics, 'read' | 'text'>
  /** The secret of this server, for signatures. */
  secret: string
  /** The folder for uploads; a job removes its files when it ends. */
  uploadDirectory: string
  /** Checks what the server needs. */
  readiness(): Promise<Readiness>
  /** Whether the server is about to stop listening, and still takes requests. */
  isDraining(): boolean
  /** The refusal of uploads while the disk is full; undefined while it has room. */
  shortage(): SluiceError | undefined
}
