import type { ApiKeyStore } from '../contract/api-key-store.ts'
import type { AuditStore } from '../contract/audit-store.ts'
import type { BlobShelf } from '../contract/blob-shelf.ts'
import type { ChatMessageStore } from '../contract/chat-message-store.ts'
import type { SharedChatRuns } from '../contract/chat-run-store.ts'
import type { ChunkStores } from '../contract/chunk-store.ts'
import type { ChunkEditStore } from '../contract/chunk-edit-store.ts'
import type { CredentialStore } from '../contract/credential-store.ts'
import type { CustomToolStore } from '../contract/custom-tool-store.ts'
import type { Dependency } from '../contract/dependency.ts'
import type { EnginePlaceStore } from '../contract/engine-place-store.ts'
import type { FeedbackStore } from '../contract/feedback-store.ts'
import type { FlowExecutionStore } from '../contract/flow-execution-store.ts'
import type { FlowDraftStore } from '../contract/flow-draft-store.ts'
import type { FlowStore } from '../contract/flow-store.ts'
import type { FailedFileStore } from '../contract/failed-file-store.ts'
import type { HistoryStore } from '../contract/history-store.ts'
import type { JobStore } from '../contract/job.ts'
import type { LeadStore } from '../contract/lead-store.ts'
import type { Cluster } from '../contract/cluster.ts'
import type { OriginalStore } from '../contract/original-store.ts'
import type { FlowStateStore } from '../contract/flow-state-store.ts'
import type { PausedRunStore } from '../contract/paused-run-store.ts'
import type { QuestionStore } from '../contract/question-store.ts'
import type { RequestWindows } from '../contract/request-windows.ts'
import type { SessionStore } from '../contract/session-store.ts'
import type { SettingStore } from '../contract/setting-store.ts'
import type { VariableStore } from '../contract/variable-store.ts'
import type { SluiceError } from '../kit/errors.ts'
import type { SecretBox } from '../kit/secret-box.ts'

/** The database of a server, with a repository for each kind of row. */
export type Backend = {
  readonly settings: SettingStore
  readonly flows: FlowStore
  readonly flowDrafts: FlowDraftStore
  readonly keys: ApiKeyStore
  readonly sessions: SessionStore
  readonly audit: AuditStore
  readonly variables: VariableStore
  readonly customTools: CustomToolStore
  readonly history: HistoryStore
  readonly failedFiles: FailedFileStore
  readonly chunkEdits: ChunkEditStore
  readonly messages: ChatMessageStore
  readonly executions: FlowExecutionStore
  readonly pausedRuns: PausedRunStore
  readonly flowStates: FlowStateStore
  readonly feedback: FeedbackStore
  readonly leads: LeadStore
  readonly originals: OriginalStore
  readonly questions: QuestionStore
  readonly jobs: JobStore
  readonly windows: RequestWindows
  readonly stores: ChunkStores
  /**
   * From now on members fetch finished copies of indexes from each other, by this bucket or the database, and this one loads those that are
   * asked most; absent as `cluster` is.
   */
  shareIndexes?(bucket: BlobShelf | undefined): Promise<void>
  /** The servers that share the database; absent where it is that of one process. */
  readonly cluster?: Cluster
  /** Answers in progress on all of them; absent as `cluster` is. */
  readonly sharedChatRuns?: SharedChatRuns
  credentials(box: SecretBox): CredentialStore
  enginePlaces(box: SecretBox): EnginePlaceStore
  /** The secret that seals credentials and requests. @throws SluiceError `secret_wrong`, `secret_missing`, `data_dir_unusable` */
  openSecret(): Promise<string>
  /** After a start: ends what an earlier process of this member left open. */
  recover(): Promise<void>
  /** The refusal of uploads while the disk is full; undefined while it has room. */
  shortage(): SluiceError | undefined
  /** Runs work that ends or frees something: now, or when there is space again. */
  whenRoom(work: () => Promise<unknown>): Promise<void>
  /** The server has begun to listen. */
  noteListening(): void
  /** The connections to the database, and how many calls wait for one; absent where it is a file. */
  connections?(): { used: number; idle: number; waiting: number }
  /** The database, and the disk of this member. */
  readonly dependencies: readonly Dependency[]
  /** The error to report for a start that failed: a damaged database makes any part fail, with any error. */
  explain(error: unknown): Promise<unknown>
  /** Before the stores are closed: ends work in the background that reads the database. */
  stop(): Promise<void>
  close(): Promise<void>
}
