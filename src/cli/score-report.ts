import type { ChunkAnswer } from '../api/hit.ts'
import type { Paint } from './paint.ts'
import { table } from './table.ts'

type Row = { part: string; value: number; about: string }

/** What the parts of a score are, in the order in which they are printed. */
const PARTS: Readonly<Record<string, string>> = {
  vector: 'how close its meaning is',
  keyword: 'words of the question, by rarity',
  sentence: 'its best sentence',
  coverage: 'how many words of the question it has',
  phrase: 'words in the order of the question, or close together',
  head: 'the beginning of its source',
  length: 'its length',
  offset: 'below the chunks that were rescored',
}

/**
 * A table for people: what the score of a chunk is the sum of, and its place after each step. Empty without an explanation.
 *
 * @param mode the kind of search: of one side, the other side has no row
 */
export function scoreReport(chunk: ChunkAnswer, paint: Paint, mode?: string): string {
  return partsReport(chunk, paint, mode) + termsReport(chunk, paint)
}

/** A table of the words of the question that a chunk has. */
function termsReport({ terms = [] }: ChunkAnswer, paint: Paint): string {
  if (terms.length === 0) return ''
  return `\n${table(
    terms,
    [
      { title: 'word', value: ({ word }) => word ?? '(several)' },
      { title: 'times', value: ({ times }) => times, right: true },
      { title: 'BM25', value: ({ score }) => score.toFixed(3), right: true },
      { title: 'share', value: ({ share }) => `${Math.round(100 * share)} %`, right: true },
      {
        title: 'rarity',
        value: ({ holders, texts }) => `${holders} of ${texts} texts have it`,
        style: () => 'dim',
      },
    ],
    paint,
  )}`
}

function partsReport(
  { parts, rankedScore, ranks, mmr, scores }: ChunkAnswer,
  paint: Paint,
  mode: string | undefined,
): string {
  if (!parts || rankedScore === undefined || !ranks) return ''
  const unused = mode === 'vector' ? 'keyword' : mode === 'keyword' ? 'vector' : undefined
  const rows: Row[] = Object.entries(parts)
    .filter(([part]) => part !== unused)
    .map(([part, value]) => ({
      part,
      value: value ?? 0,
      about: [PARTS[part] ?? '', placeOnSide(part, ranks)].filter(Boolean).join('; '),
    }))
  rows.push({ part: 'ranked by', value: rankedScore, about: placesOf(ranks) })
  if (scores?.rerank !== undefined)
    rows.push({ part: 'reranker', value: scores.rerank, about: `${ranks.reranked}. of what it read` })
  if (mmr)
    rows.push({
      ...{ part: 'MMR', value: mmr.relevance },
      about: `of the best score; likeness to the closest chunk before it ${mmr.likeness.toFixed(3)}`,
    })
  return table(
    rows,
    [
      { title: '', value: ({ part }) => part },
      { title: 'score', value: ({ value }) => value.toFixed(4), right: true },
      { title: '', value: ({ about }) => about, style: () => 'dim' },
    ],
    paint,
  )
}

type Ranks = NonNullable<ChunkAnswer['ranks']>

function placeOnSide(part: string, ranks: Ranks): string {
  if (part !== 'vector' && part !== 'keyword') return ''
  const place = ranks[part]
  return place === null ? 'not found by this side' : `${place}. of this side`
}

const placesOf = ({ combined, rescored }: Ranks): string =>
  rescored === undefined ? `${combined}. of all` : `${combined}. of all, ${rescored}. after rescoring`
