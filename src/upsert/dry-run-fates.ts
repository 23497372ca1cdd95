import type { Metadata } from '../contract/document.ts'
import type { ChunkFate, FateCounts, FatedChunk, FateWriter } from '../contract/dry-run.ts'
import type { StoreView } from '../contract/ledger.ts'
import { withoutPlace } from '../documents/citation.ts'
import { readablePassage, textOfPassage } from '../documents/passage.ts'
import { estimateTokens } from '../embed/token-estimate.ts'
import { canonicalJson, type Json, parseJson } from '../kit/json.ts'
import type { EmbeddingEstimate } from './outcome.ts'
import type { Verdict, ComparedChunk } from './source-comparison.ts'

/** How many texts are remembered, so that a text that occurs several times is counted once. */
const REMEMBERED_TEXTS = 200_000

/** How many chunks are read and written at once. */
const BATCH = 500

const FATE_OF: Record<Verdict, ChunkFate> = { add: 'added', update: 'updated', skip: 'skipped' }

/** A chunk that a dry run was told of. */
type FatedText = Omit<FatedChunk, 'source'> & { source: string; key: string | undefined }

/** What a dry run finds out: the fate of each chunk, and what would be embedded. */
export class DryRunFates {
  readonly estimate: EmbeddingEstimate = { texts: 0, tokens: 0 }
  readonly #view: StoreView
  readonly #writer: FateWriter
  readonly #texts = new Set<string>()

  constructor(view: StoreView, writer: FateWriter) {
    this.#view = view
    this.#writer = writer
  }

  /** Chunks that were compared with the store, in their order. */
  async add(compared: readonly ComparedChunk[]): Promise<void> {
    const moved = await this.#movedOf(compared)
    const rows = compared.map(
      (one): FatedText => ({
        source: one.chunk.source,
        key: one.replaced === undefined ? undefined : one.chunk.hash,
        fate: one.moved || moved.has(one) ? 'moved' : FATE_OF[one.verdict],
        text: textOfPassage(one.chunk.text),
        metadata: parsed(one.chunk.metadata),
        tokens:
          one.verdict === 'skip' || one.embedded
            ? 0
            : this.#count(one.chunk.hash, readablePassage(one.chunk.text)),
      }),
    )
    for (const [source, own] of Map.groupBy(rows, (row) => row.source))
      await this.#writer.add(
        source,
        own.map(({ source: _, key: __, ...row }) => row),
        own.map(({ key }) => key),
      )
    for (const { chunk, revokedUpdate } of compared)
      if (revokedUpdate) this.#writer.revokeUpdate(chunk.source, chunk.hash)
  }

  /** How many chunks have which fate. */
  totals(): Promise<FateCounts> {
    return this.#writer.totals()
  }

  /** The updates of which only the place in the source is another. */
  async #movedOf(compared: readonly ComparedChunk[]): Promise<ReadonlySet<ComparedChunk>> {
    const updates = compared.filter(({ replaced }) => replaced !== undefined)
    if (updates.length === 0) return new Set()
    const before = await this.#view.contents(updates.map(({ replaced }) => replaced!))
    // A chunk that is gone meanwhile is left out, so the rest cannot be told apart.
    if (before.length !== updates.length) return new Set()
    return new Set(
      updates.filter(({ chunk }, i) => placeless(chunk.metadata) === placeless(before[i]!.metadata)),
    )
  }

  /** The file of a source has not changed: its chunks stay. */
  async addUnchanged(source: string): Promise<void> {
    for await (const ids of this.#view.visible(source)) await this.#addStored(source, 'unchanged', ids)
  }

  /** Chunks of the store that the upsert would remove without a successor. */
  async addRemoved(source: string, ids: readonly number[]): Promise<void> {
    await this.#addStored(source, 'deleted', ids)
  }

  async #addStored(source: string, fate: ChunkFate, ids: readonly number[]): Promise<void> {
    for (let at = 0; at < ids.length; at += BATCH) {
      const contents = await this.#view.contents(ids.slice(at, at + BATCH))
      const rows = contents.map(
        ({ text, metadata }): Omit<FatedChunk, 'source'> => ({
          fate,
          text: textOfPassage(text),
          metadata: parsed(metadata),
          tokens: 0,
        }),
      )
      await this.#writer.add(source, rows)
    }
  }

  /** The tokens of a text that would be embedded; 0 where another chunk has the same text. */
  #count(hash: string, text: string): number {
    if (this.#texts.has(hash)) return 0
    if (this.#texts.size < REMEMBERED_TEXTS) this.#texts.add(hash)
    const tokens = estimateTokens(text)
    this.estimate.texts++
    this.estimate.tokens += tokens
    return tokens
  }
}

const placeless = (metadata: string): string =>
  canonicalJson(withoutPlace((parseJson(metadata) ?? {}) as Metadata))

const parsed = (metadata: string): Json => parseJson(metadata) ?? null
