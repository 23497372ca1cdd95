import type { SourceScope } from './conversation.ts'
import type { TextRange } from './document.ts'

/*
 * Where the words of a text went: which of them are in a chunk, in several, in none. Characters are UTF-16 code units that are no white
 * space; lines are those of the extracted text.
 */

/**
 * Why words are in no chunk.
 *
 * - `cut`: the splitter leaves them out, such as a separator.
 * - `deleted`: a person has deleted their chunk.
 * - `removed`: their chunk was removed after the load; its text is not kept.
 */
export const GAP_REASONS = ['cut', 'deleted', 'removed'] as const
export type GapReason = (typeof GAP_REASONS)[number]

/** Words of the extracted text that are in no chunk; of long ones `text` has the beginning, of removed ones nothing. */
export type TextGap = TextRange & { characters: number; text: string; reason: GapReason }

/** A part of a text whose chunk is not stored: an equal one of the same source is. */
export type RepeatedText = TextRange & { characters: number }

/**
 * What a load knows of the words that no chunk has got. `characters`: of the whole text; `more`: what there is no room to list;
 * `moreRepeated`: characters of repeats that there is no room to list.
 */
export type TextGaps = {
  characters: number
  gaps: TextGap[]
  repeats: RepeatedText[]
  more?: { gaps: number; characters: number }
  moreRepeated?: number
  /** The splitter does not tell where its chunks are in the text: nothing else is known then. */
  unplaced?: true
}

/** What is counted of a text, by the number of chunks that have it. */
export type ShareCounts = { one: number; several: number; none: number }

/** Some lines in a row. `start`: the position of the first, `line`: its number, from 1. */
export type TraceBand = ShareCounts & { start: number; line: number; lines: number }

/** `after`: how many chunks of the newest version begin before it, in the order of lists. */
export type TracedGap = TextGap & { after: number }

/** `known`: whether a load has told which words are in no chunk; else `none` counts nothing. `placed`: whether chunks have places. */
export type SourceTrace = {
  known: boolean
  placed: boolean
  /** UTF-16 code units of the text. */
  total: number
  /** Chunks of the newest version, and how many of them a person has changed. */
  chunks: number
  edited: number
  characters: ShareCounts
  lines: ShareCounts & { all: number; blank: number }
  bands: TraceBand[]
  gaps: TracedGap[]
  /** What is not in `gaps`, for want of room. */
  more: { gaps: number; characters: number }
}

export type SourceTraceRequest = { source: string; conversation?: SourceScope | undefined }
