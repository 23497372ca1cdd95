import type { SourceScope } from './conversation.ts'
import type { DroppedRow } from './dropped-rows.ts'

/* The versions of a source that have visible chunks, and the extracted text of one. */

/** What is left of an earlier version of a source: it was the newest one `until` a moment, in ms since 1970. */
export type EarlierVersion = { until: number; chunks: number }

/** A version of a source: the newest, or an earlier one by its `until`. */
export type SourceVersion = 'newest' | number

/**
 * A part of the extracted text of one version of a source, how many UTF-16 code units it has, the earlier versions, newest first, and what
 * was left out of this version; null where that is not known, as of earlier versions.
 */
export type SourceText = {
  text: string
  total: number
  earlier: EarlierVersion[]
  dropped: DroppedRow[] | null
}

/** Positions are UTF-16 code units: from `start` to before `end`. */
export type SourceTextRequest = {
  source: string
  conversation?: SourceScope | undefined
  version: SourceVersion
  start: number
  end: number
}
