/** Which chunks an upsert removes, besides those it replaces. */
export const CLEANUPS = ['none', 'incremental', 'full'] as const

/**
 * - `none`: nothing.
 * - `incremental`: of every source of this run, the chunks that it no longer has.
 * - `full`: also all sources of the namespace that this run does not have.
 */
export type Cleanup = (typeof CLEANUPS)[number]

export type RecordManager = {
  /** Absent: the vector store's own. */
  namespace?: string
  cleanup: Cleanup
  /** The metadata key that names a chunk's source; `source` means the item's own. */
  sourceIdKey: string
}
