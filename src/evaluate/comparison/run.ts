import type { StorePart } from '../../contract/card.ts'
import type { ChunkStore } from '../../contract/chunk-store.ts'
import type { ComparedDocuments, ComparisonBounds } from '../../contract/comparison.ts'
import type { Question } from '../../contract/question-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { fingerprint } from '../../kit/hash.ts'
import { canonicalJson, type Json } from '../../kit/json.ts'
import { askVariants } from './ask-variants.ts'
import { boundedEmbedder } from './bounded-embedder.ts'
import { type ComparedQuestion, countedQuestions } from './compared-questions.ts'
import { loadVariant, type TemporaryIndex } from './load-variant.ts'
import { openState } from './kept-state.ts'
import type { ComparisonOutcome } from './outcome.ts'
import type { PlannedVariant } from './planned-variant.ts'
import { createSpending } from './spending.ts'
import type { Looks } from '../verdict/looks.ts'

export type VariantsProgress =
  | {
      stage: 'load'
      index: number
      indexes: number
      documents: number
      total: number
      chunks: number
      embedded: number
    }
  | { stage: 'ask'; done: number; total: number }

export type ComparisonWork = {
  /** The first is the baseline. */
  variants: readonly PlannedVariant[]
  questions: readonly (Question | ComparedQuestion)[]
  /** The names of the documents, and how their texts come. */
  sources: ReadonlySet<string>
  documents: ComparedDocuments
  looks: Looks
  bounds: ComparisonBounds
  /** A folder of its own: what is left there by an earlier process is used. */
  directory: string
  openIndex(directory: string): TemporaryIndex
  signal: AbortSignal
  onProgress(progress: VariantsProgress): void
}

/**
 * Loads the documents once for each way of cutting and embedding, into temporary indexes, asks every variant every question, and tells
 * which is better. Its folder stays: after the end of its process it goes on from there.
 *
 * @throws SluiceError `comparison_invalid`, `comparison_over_limit`, `cancelled`, and what an upsert or a query throws
 */
export async function compareVariants(work: ComparisonWork): Promise<ComparisonOutcome> {
  const { variants, sources, documents, looks, bounds, directory, signal, onProgress } = work
  const { counted, uncounted } = countedQuestions(work.questions, sources)
  if (counted.length === 0)
    throw new SluiceError('comparison_invalid', {
      reason:
        uncounted.length === 0
          ? 'there is no accepted question'
          : `none of the ${uncounted.length} questions has a right answer among the documents`,
    })
  const seed = 1
  const keys = [...new Set(variants.map(({ indexKey }) => fingerprint(indexKey)))]
  const identity = {
    variants: variants.map(({ name, indexKey }) => [name, indexKey]),
    sources: fingerprint([...sources].toSorted().join('\n')),
    ...{ counted, looks },
  }
  const state = await openState(directory, fingerprint(canonicalJson(identity as unknown as Json)))
  const spent =
    [...state.indexes.values()].reduce((sum, { tokens }) => sum + tokens, 0) +
    state.rows.reduce((sum, { tokens }) => sum + tokens, 0)
  const spending = createSpending({ bounds, directory, spent, startedAt: state.startedAt })
  await using open = new AsyncDisposableStack()

  const parts: StorePart[] = []
  const stores = new Map<string, { store: ChunkStore; embedder: StorePart['embedder'] }>()
  const meter = { tokens: 0 }
  for (const variant of variants) {
    signal.throwIfAborted()
    const key = fingerprint(variant.indexKey)
    let found = stores.get(key)
    if (!found) {
      const index = work.openIndex(state.folderOf(key))
      open.defer(() => index.close())
      const { embedder } = variant.searching(index.store)
      found = {
        store: index.store,
        embedder: boundedEmbedder(embedder, (count) => {
          spending.tokens(variant.name, count)
          meter.tokens += count
        }),
      }
      stores.set(key, found)
      if (!state.indexes.has(key)) {
        const at = { index: stores.size, indexes: keys.length, total: sources.size }
        const loaded = await loadVariant({
          ...{ variant, index, embedder: found.embedder, signal },
          async onProgress(progress) {
            onProgress({ stage: 'load', ...at, ...progress })
            await spending.look(variant.name)
          },
        })
        await state.noteIndex(key, { ...loaded, tokens: meter.tokens })
      }
      meter.tokens = 0
    }
    parts.push({ ...variant.searching(found.store), embedder: found.embedder })
  }

  const asked = await askVariants({
    ...{ variants, parts, questions: counted, looks, seed, state, signal, meter },
    look: () => spending.look(variants[0]!.name),
    onAsked: (done) => onProgress({ stage: 'ask', done, total: counted.length }),
  })
  return {
    variants: variants.map(({ name, indexKey }, at) => ({
      name,
      index: keys.indexOf(fingerprint(indexKey)),
      ...state.indexes.get(fingerprint(indexKey))!,
      ...asked.results[at]!,
    })),
    questions: asked.questions,
    planned: counted.length,
    ...{ looks, documents, uncounted, resumed: state.isKept },
    rows: asked.rows,
  }
}
