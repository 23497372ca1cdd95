/** How many failed files of a namespace are kept; the newest. */
export const KEPT_FAILURES = 10_000

/** A file that could not be loaded, and was not loaded since. */
export type FailedFile = {
  name: string
  code: string | null
  message: string
  /** The flow and the job that could not load it. */
  flowId: string
  job: string
  /** In ms since 1970. */
  failedAt: number
  /** Whether it was sent with a request; otherwise the flow finds it by itself. */
  uploaded: boolean
  /** The kept file, where the flow keeps files: its id on the shelf, and its bytes. */
  original: { id: string; bytes: number } | null
  /** How many chunks readers still see of an earlier version. */
  olderChunks: number
}

/** Those of a namespace that were sent within a fence (`fence.ts`), by its id; an empty text: outside of fences. */
export type FailedScope = { namespace: string; fence: string }

/** What a job that has ended tells of its files, stored together with its end. */
export type FileOutcomes = FailedScope & {
  /** `source`: the name in the store. */
  failed: (Pick<FailedFile, 'name' | 'code' | 'message' | 'uploaded' | 'original'> & { source: string })[]
  /** The names in the store of files that are loaded, or without text: they are failed no more. */
  loaded: string[]
}

/** Files that failed and were not loaded since. They are written with the end of a job: `JobEnd.outcomes`. */
export type FailedFileStore = {
  /** The one that failed last first. @param page `search`: a part of the name, each letter in either case */
  list(
    scope: FailedScope,
    page: { search?: string | undefined; offset: number; limit: number },
  ): Promise<{ rows: FailedFile[]; total: number }>
  /** Those with these names. */
  named(scope: FailedScope, names: readonly string[]): Promise<FailedFile[]>
  /** Removes those with these names. Resolves with how many there were. */
  remove(scope: FailedScope, names: readonly string[]): Promise<number>
}
