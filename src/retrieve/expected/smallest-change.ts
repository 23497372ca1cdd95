import type { ChangedSetting } from '../../contract/expected.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Filter } from '../../contract/filter.ts'
import type { Metadata } from '../../contract/document.ts'
import { matches } from '../../vector/matches.ts'
import { consideredCount } from '../answer.ts'
import type { RetrievalOverrides } from '../settings.ts'
import type { Trace } from '../trace.ts'
import { NotTried } from './memo-reranker.ts'
import type { ChunkOutcome, SmallestChange } from './outcome.ts'

/** How often a query is done again to find a change. */
const MOST_TRIES = 14

/** The largest `topK` of a request. */
const MOST_TOP_K = 1000

/** A longer list is no answer to a person, and each try with one costs as much as ten queries. */
const LONG_LIST = 100

/** From this `topK` on, each side gives more candidates, and scores and places can change with it. */
const SAME_POOL = 50

/** What is known of the chunk that the answer lacks. */
export type MissingChunk = {
  outcome: ChunkOutcome
  metadata: Metadata | undefined
  /** The answer that lacks it. */
  trace: Trace
  asked: RetrievalOverrides
  /** Does the query with other settings. */
  retry(overrides: RetrievalOverrides): Promise<Trace>
  /** The place of the chunk, or of any chunk of its source, from 1; null where it is not in the answer. */
  placeIn(trace: Trace): number | null
}

/**
 * The smallest change of one setting of the request with which the answer has the chunk, each found by doing the query with it; null where
 * none was found within {@link MOST_TRIES} tries. First comes the setting of the step that left it out, then `topK`, then the mode; where one side alone
 * was searched and the chunk is far below, first the mode.
 */
export async function smallestChange(
  missing: MissingChunk,
): Promise<{ change: SmallestChange | null; tries: number }> {
  const search = new ChangeSearch(missing)
  const change = await search.find()
  return { change, tries: search.tries }
}

class ChangeSearch {
  tries = 0
  readonly #missing: MissingChunk

  constructor(missing: MissingChunk) {
    this.#missing = missing
  }

  async find(): Promise<SmallestChange | null> {
    const { step } = this.#missing.outcome
    switch (step) {
      case 'filter':
        return this.#lessFilter()
      case 'threshold':
        return this.#lowerMinScore()
      case 'nearDuplicate':
        return this.#laxerDuplicates()
      case 'mmr':
        return (await this.#moreRelevance()) ?? (await this.#moreHits())
      case 'rescoring':
        return (await this.#without('rescore')) ?? (await this.#moreHits())
      case 'reranker':
        return (await this.#without('rerank')) ?? (await this.#moreHits())
      case 'pool':
        return (await this.#largerPool()) ?? (await this.#moreHits()) ?? (await this.#otherMode())
      // What neither side gives, one of them alone does not give either.
      case 'noSide':
        return (await this.#bothSides()) ?? this.#moreHits()
      case 'topK':
        return (await this.#bothSides()) ?? (await this.#moreHits()) ?? (await this.#otherMode())
      default:
        return null
    }
  }

  /** The place of the chunk with other settings; null where it is not there, undefined where that is not tried. */
  async #tried(overrides: RetrievalOverrides): Promise<number | null | undefined> {
    if (this.tries >= MOST_TRIES) return undefined
    const { asked, retry, placeIn } = this.#missing
    try {
      this.tries++
      return placeIn(await retry({ ...asked, ...overrides }))
    } catch (error) {
      if (!(error instanceof NotTried) && !(error instanceof SluiceError && error.code === 'query_invalid'))
        throw error
      this.tries--
      return undefined
    }
  }

  async #once(
    setting: ChangedSetting,
    { from, to }: Pick<SmallestChange, 'from' | 'to'>,
    overrides: RetrievalOverrides,
  ): Promise<SmallestChange | null> {
    const place = await this.#tried(overrides)
    return typeof place === 'number' ? { setting, from, to, place } : null
  }

  /** The filter of the request without the conditions that the chunk does not meet; that of the flow stays. */
  async #lessFilter(): Promise<SmallestChange | null> {
    const { asked, metadata, outcome } = this.#missing
    if (!asked.filter || !metadata) return null
    const less = withoutUnmet(asked.filter, metadata)
    const { filter: _, ...rest } = asked
    const change = { from: outcome.fields?.join(', ') ?? null, to: null }
    if (this.tries >= MOST_TRIES) return null
    this.tries++
    const place = this.#missing.placeIn(await this.#missing.retry(less ? { ...rest, filter: less } : rest))
    return place === null ? null : { setting: 'filter', ...change, place }
  }

  async #lowerMinScore(): Promise<SmallestChange | null> {
    const [measured] = this.#missing.outcome.measured
    if (measured?.had == null) return null
    const minScore = Math.max(-1, Math.floor(measured.had * 1e4) / 1e4)
    return this.#once('minScore', { from: measured.needed, to: minScore }, { minScore })
  }

  async #laxerDuplicates(): Promise<SmallestChange | null> {
    const [measured] = this.#missing.outcome.measured
    if (measured?.had == null) return null
    const from = measured.needed
    const above = (Math.floor(measured.had * 1e4) + 2) / 1e4
    const laxer =
      above <= 1 ? await this.#once('nearDuplicates', { from, to: above }, { nearDuplicates: above }) : null
    return laxer ?? this.#once('nearDuplicates', { from, to: false }, { nearDuplicates: false })
  }

  /** The least `lambda` of MMR in hundredths that shows it; MMR off where 1 does not. */
  async #moreRelevance(): Promise<SmallestChange | null> {
    const { mmr } = this.#missing.trace.settings
    if (!mmr) return null
    const at = (hundredths: number) =>
      this.#once(
        'lambda',
        { from: mmr.lambda, to: hundredths / 100 },
        { mmr: { ...mmr, lambda: hundredths / 100 } },
      )
    let shown = await at(100)
    if (!shown) return this.#once('mmr', { from: true, to: false }, { mmr: false })
    for (let [low, high] = [Math.floor(mmr.lambda * 100), 100]; high - low > 1; ) {
      const middle = (low + high) >> 1
      const found = await at(middle)
      if (found) [shown, high] = [found, middle]
      else low = middle
    }
    return shown
  }

  #without(setting: 'rescore' | 'rerank'): Promise<SmallestChange | null> {
    return this.#once(setting, { from: true, to: false }, { [setting]: false })
  }

  /** MMR that chooses from as many as are needed, or no reranker; rescoring always reads as many. */
  async #largerPool(): Promise<SmallestChange | null> {
    const { outcome, trace } = this.#missing
    const { mmr } = trace.settings
    if (outcome.reads?.step === 'reranker') return this.#without('rerank')
    const needed = outcome.measured[0]?.had
    if (outcome.reads?.step !== 'mmr' || !mmr || needed == null || needed > MOST_TOP_K) return null
    return this.#once('fetchK', { from: mmr.fetchK, to: needed }, { mmr: { ...mmr, fetchK: needed } })
  }

  /** The least `topK` that shows it. */
  async #moreHits(): Promise<SmallestChange | null> {
    const { trace, outcome } = this.#missing
    const { topK, mmr } = trace.settings
    const found = await this.#enough(topK, outcome.lastPlace)
    if (!found) return null
    let { low, high, place } = found
    // Where the same candidates are considered, the order does not depend on topK: the place is the least one.
    const isSame = () => consideredCount({ ...trace.settings, topK: high }) <= SAME_POOL && mmr === undefined
    while (high - low > 1 && !(place === high && isSame())) {
      const next = place > low && place < high ? place : (low + high) >> 1
      const again = await this.#tried({ topK: next })
      if (again === undefined) break
      if (again === null) low = next
      else [high, place] = [next, again]
    }
    return { setting: 'topK', from: topK, to: high, place }
  }

  /** A `topK` that shows it, and the largest one that is known not to. */
  async #enough(
    topK: number,
    guess: number,
  ): Promise<{ low: number; high: number; place: number } | undefined> {
    const most = Math.min(MOST_TOP_K, Math.max(LONG_LIST, 2 * topK))
    if (topK >= most || (guess > most && guess < Infinity)) return undefined
    let low = topK
    // Where its place is not known, the longest list tells at once whether there is any.
    let high = guess < Infinity ? Math.max(topK + 1, guess) : most
    for (;;) {
      const place = await this.#tried({ topK: high })
      if (place === undefined) return undefined
      if (place !== null) return { low, high, place }
      if (high === most) return undefined
      low = high
      high = most
    }
  }

  /** Both sides, where one is searched and the chunk is far below: a list twice as long is the larger change. */
  async #bothSides(): Promise<SmallestChange | null> {
    const { trace, outcome } = this.#missing
    const { mode, topK } = trace.settings
    if (mode === 'hybrid' || outcome.lastPlace <= 2 * topK) return null
    return this.#once('mode', { from: mode, to: 'hybrid' }, { mode: 'hybrid' })
  }

  /** One side alone, where both are searched. */
  async #otherMode(): Promise<SmallestChange | null> {
    const { settings } = this.#missing.trace
    if (settings.mode !== 'hybrid') return null
    for (const mode of ['vector', 'keyword'] as const) {
      const change = await this.#once('mode', { from: settings.mode, to: mode }, { mode })
      if (change) return change
    }
    return null
  }
}

/** A filter without those of its conditions that metadata do not meet; undefined where none is left. */
function withoutUnmet(filter: Filter, metadata: Metadata): Filter | undefined {
  if (matches(filter, metadata)) return filter
  if (filter.op !== 'and') return undefined
  const all = filter.all.flatMap((one) => withoutUnmet(one, metadata) ?? [])
  return all.length > 0 ? { op: 'and', all } : undefined
}
