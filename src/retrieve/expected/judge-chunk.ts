import type { Filter } from '../../contract/filter.ts'
import type { NamedChunk } from '../../contract/expected.ts'
import type { Candidate, SideScores } from '../../contract/search.ts'
import { chatIdOf } from '../../documents/conversation.ts'
import { bm25Of, termScores } from '../../keyword/term-scores.ts'
import { countPassageTerms } from '../../text/terms/count-terms.ts'
import { matches } from '../../vector/matches.ts'
import { pathsOf } from '../../vector/metadata-columns.ts'
import { closeness } from '../../vector/metric.ts'
import type { AskedQuestion, Trace } from '../trace.ts'
import { judgeRanked } from './judge-ranked.ts'
import type { ChunkOutcome, Measured } from './outcome.ts'

/** What became of a stored chunk in an answer. */
export function judgeChunk(chunk: NamedChunk, asked: AskedQuestion, trace: Trace): ChunkOutcome {
  const ranked = judgeRanked(chunk.id, trace)
  if (ranked) return ranked
  const { settings, candidates, limit } = trace
  const outcome = { id: chunk.id, place: null, lastPlace: Infinity }
  const own = chatIdOf(chunk.metadata)
  if (own !== undefined && own !== asked.chatId) return { ...outcome, step: 'conversation', measured: [] }
  const { filter, minScore, mode } = settings
  if (filter && !matches(filter, chunk.metadata))
    return { ...outcome, step: 'filter', measured: [], fields: unmetFields(filter, chunk) }
  const scores = scoresOf(chunk, asked, trace)
  const vector = { what: 'vector' as const, had: scores.vector ?? null }
  if (minScore !== undefined && scores.vector !== undefined && (scores.vector ?? -Infinity) < minScore)
    return { ...outcome, step: 'threshold', measured: [{ ...vector, needed: minScore }] }
  const measured: Measured[] = [
    ...(mode === 'keyword' ? [] : [{ ...vector, needed: lastOf(candidates.found, 'vectorScore', limit) }]),
    ...(mode === 'vector'
      ? []
      : [
          {
            what: 'keyword' as const,
            had: scores.keyword ?? null,
            needed: lastOf(candidates.found, 'keywordScore', limit),
          },
        ]),
  ]
  return { ...outcome, step: 'noSide', measured }
}

/** The scores of a stored chunk for a question; undefined where they cannot be had, null where a side has none for it. */
export function scoresOf(
  { vector: own, passage, pageContent }: Pick<NamedChunk, 'vector' | 'passage' | 'pageContent'>,
  { vector }: AskedQuestion,
  { settings, candidates: { termFacts } }: Trace,
): { vector: number | null | undefined; keyword: number | null | undefined } {
  return {
    vector: vector && own ? closeness(settings.metric, vector, own) : vector ? undefined : null,
    keyword: termFacts ? bm25Of(termScores(termFacts, countPassageTerms(passage ?? pageContent))) : undefined,
  }
}

/** The score of the last candidate that a side gave; null where it gave all that it has. */
function lastOf(
  found: readonly SideScores[],
  side: 'vectorScore' | 'keywordScore',
  limit: number,
): number | null {
  const scores = found.flatMap((one) => one[side] ?? [])
  return scores.toSorted((one, other) => other - one)[limit - 1] ?? null
}

/** The fields of the conditions of a filter that a chunk does not meet, each once. */
function unmetFields(filter: Filter, chunk: Pick<Candidate, 'metadata'>): string[] {
  const fields = new Set<string>()
  const visit = (one: Filter): void => {
    if (matches(one, chunk.metadata)) return
    if (one.op === 'and') for (const inner of one.all) visit(inner)
    else for (const path of pathsOf(one)) fields.add(path.join('.'))
  }
  visit(filter)
  return [...fields]
}
