import type { SourceScope } from './conversation.ts'
import type { DroppedCount } from './dropped-rows.ts'

/* A list of the sources of a namespace. */

export const SOURCE_ORDERS = ['name', 'updated', 'chunks', 'size'] as const

/** A source in a list. `job` is the last job that read it; what is not known is null. */
export type SourceRow = {
  source: string
  chunks: number
  /** How many of them are of earlier versions. */
  outdated: number
  updatedAt: number
  bytes: number | null
  characters: number | null
  job: string | null
  /** The type of its kept file; null where none is kept. */
  originalType: string | null
  /** The hash of the settings it was loaded with; null where they are not known. */
  settings: string | null
  /** How much of each kind was left out of its text; null where that is not known. */
  dropped: DroppedCount[] | null
  /** Only for a removed source: until when it can be restored, in ms since 1970. `chunks` counts those that would come back. */
  restorableUntil?: number
}

export type SourceOrder = (typeof SOURCE_ORDERS)[number]

export type SourcePage = {
  offset: number
  limit: number
  /** Only sources with this in their names, each letter in either case. */
  search?: string | undefined
  /** By name unless given; equal ones are by name. */
  order?: SourceOrder | undefined
  descending?: boolean | undefined
  /** Lists removed sources that can be restored at this moment, in ms since 1970, instead of those that readers see. */
  removedAt?: number | undefined
  /** Sources of this conversation or fence; without one, those that belong to none. */
  conversation?: SourceScope | undefined
}
