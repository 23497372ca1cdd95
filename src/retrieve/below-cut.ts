import type { RankedCandidates } from '../contract/search.ts'
import type { QuerySettings } from './settings.ts'

/** How many chunks below the cut are told at most. */
export const TOLD_BELOW = 16

/** How many characters of each are told. */
const EXCERPT = 160

/** A chunk that came after the last one of an answer. */
export type BelowCut = {
  id: string
  /** Null where it has none. */
  source: string | null
  /** Its place, from 1: the first one has `topK` + 1. */
  place: number
  /** The score that it was ranked by. */
  score: number
  /** The beginning of its text, in one line. */
  excerpt: string
}

/** What an answer was chosen from. */
type RankedAnswer = {
  settings: QuerySettings
  candidates: RankedCandidates
  rescored: Pick<RankedCandidates, 'ranked'> | undefined
}

/**
 * What came next, in the order of the ranking: with a larger `topK` these would be hits. Undefined where more than the ranking
 * chose the hits: near duplicates that drop out, a reranker, and MMR were not asked about the chunks after the last hit.
 */
export function belowCut({
  settings: { topK, nearDuplicates, reranker, mmr },
  candidates,
  rescored,
}: RankedAnswer): BelowCut[] | undefined {
  if (nearDuplicates !== undefined || reranker || mmr) return undefined
  return (rescored ?? candidates).ranked
    .slice(topK, topK + TOLD_BELOW)
    .map(({ candidate: { id, metadata, pageContent }, score }, at) => ({
      id,
      source: typeof metadata.source === 'string' && metadata.source !== '' ? metadata.source : null,
      ...{ place: topK + at + 1, score },
      excerpt: inOneLine(pageContent),
    }))
}

function inOneLine(text: string): string {
  // Twice as much, so that blanks which go leave enough.
  const line = text
    .slice(0, 2 * EXCERPT)
    .replaceAll(/\s+/g, ' ')
    .trim()
  const cut = line.length > EXCERPT || text.length > 2 * EXCERPT
  // A character of two units is not cut in its middle.
  return cut
    ? `${line
        .slice(0, EXCERPT)
        .replace(/[\uD800-\uDBFF]$/, '')
        .trimEnd()}…`
    : line
}
