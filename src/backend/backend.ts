import type { BlobShelf } from '../contract/blob-shelf.ts'
import type { SharedChatRuns } from '../contract/chat-run-store.ts'
import type { ChunkStores } from '../contract/chunk-store.ts'
import type { Dependency } from '../contract/dependency.ts'
import type { FlowExecutionStore } from '../contract/flow-execution-store.ts'
import type { JobStore } from '../contract/job.ts'
import type { Cluster } from '../contract/cluster.ts'
import type { RequestWindows } from '../contract/request-windows.ts'
import type { SluiceError } from '../kit/errors.ts'
import type { RowStores } from './row-stores.ts'

/** The database of a server, with a repository for each kind of row. */
export type Backend = RowStores & {
  readonly executions: FlowExecutionStore
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
