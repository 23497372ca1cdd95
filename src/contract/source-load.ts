import type { SourceScope } from './conversation.ts'
import type { FileType } from './file-parser.ts'

/* With which settings the sources of a namespace were loaded, and from which kept files they can be loaded again. */

/** Settings that decide how a source is cut, as canonical JSON (`flow/load-settings.ts`), and their fingerprint. */
export type StoredSettings = { hash: string; content: string }

/** The settings of some sources: many sources have few settings. */
export type SourceLoads = {
  settings: StoredSettings[]
  /** `request`: what the request of its load changed, as canonical JSON; null where that is nothing. */
  sources: { source: string; settings: string; request: string | null }[]
}

/** Sources that were loaded with some settings, by the hash of these; null for those of which it is not known. */
export type LoadedWith = { settings: string | null; conversation?: SourceScope | undefined }

/** Those after a name, at most `limit`. With `kept` only those with a kept file, or only those without one. */
export type LoadedPage = LoadedWith & {
  after: string | undefined
  limit: number
  kept?: boolean | undefined
}

/** `originals`: how many of them have a kept file. `chunks`, `characters`: of all of them; what is not known of a source is left out. */
export type LoadCount = { sources: number; originals: number; chunks: number; characters: number }

/** A source that can be loaded again. Without `original` its file is not kept. */
export type LoadedSource = {
  source: string
  bytes: number | null
  original: KeptOriginal | undefined
  request: string | null
}

/** A file as it was sent: its id on the shelf, and its type. */
export type KeptOriginal = { id: string; type: FileType }
