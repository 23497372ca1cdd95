import type { Document } from '../contract/document.ts'
import type { DroppedCount } from '../contract/dropped-rows.ts'
import type { KnownFile } from '../contract/ledger.ts'
import type { SluiceError } from '../kit/errors.ts'
import { ShownDocuments } from './documents.ts'
import { FileRows } from './file-rows.ts'
import {
  type EmbeddingEstimate,
  failedOutcome,
  type FileOutcome,
  noChunks,
  type UpsertResult,
  type UpsertWarning,
} from './outcome.ts'
import type { SourceComparison } from './source-comparison.ts'

const tell = (dropped: DroppedCount[] | null | undefined): Pick<FileOutcome, 'dropped'> =>
  dropped && dropped.length > 0 ? { dropped } : {}

type CountsBySource = Record<'removedBySource' | 'outdatedBySource', ReadonlyMap<string, number>>

const sumOf = (sources: readonly string[], counts: ReadonlyMap<string, number>): number =>
  sources.reduce((sum, source) => sum + (counts.get(source) ?? 0), 0)

/** The answer of one upsert while it is made: an outcome per item, warnings, failures, documents to show. */
export class RunReport {
  readonly #outcomes: FileOutcome[] = []
  readonly #warnings: UpsertWarning[]
  /** Reasons of warnings that are given once a run. */
  readonly #warnedOnce = new Set<string>()
  /** By the place of their item, since items end in any order. */
  readonly #failures: SluiceError[] = []
  readonly #shown: ShownDocuments
  readonly #rows: FileRows
  #failed = 0
  #outdated = 0
  #empty = 0

  constructor(
    warnings: readonly UpsertWarning[],
    returnSourceDocuments: boolean,
    rows: FileRows = new FileRows(),
  ) {
    this.#rows = rows
    this.#warnings = [...warnings]
    this.#shown = new ShownDocuments(returnSourceDocuments)
  }

  get outcomes(): readonly FileOutcome[] {
    return this.#outcomes
  }

  get failed(): number {
    return this.#failed
  }

  /** How many items had no text. */
  get empties(): number {
    return this.#empty
  }

  warn(key: string, reason: string): void {
    this.#warnings.push({ key, reason })
  }

  warnOnce(key: string, reason: string): void {
    if (this.#warnedOnce.has(reason)) return
    this.#warnedOnce.add(reason)
    this.warn(key, reason)
  }

  /** A warning about an item. */
  warnAbout(place: number, name: string, reason: string): void {
    this.#rows.warn(place, name, reason)
    this.warn(name, reason)
  }

  /** An item is being read from now on. */
  begin(place: number, name: string): void {
    this.#rows.begin(place, name)
  }

  /** Chunks of an item were cut. */
  noteChunks(place: number, count: number): void {
    this.#rows.addChunks(place, count)
  }

  #end(place: number, outcome: FileOutcome): void {
    this.#outcomes[place] = outcome
    this.#rows.end(place, outcome)
  }

  /** The counts of an indexed item are set by {@link count}: a later item may share its source. */
  indexed(place: number, name: string, chunks: number, dropped: DroppedCount[] = []): void {
    this.#end(place, { name, status: 'indexed', ...noChunks, chunks, ...tell(dropped) })
  }

  unchanged(
    place: number,
    name: string,
    { chunks, outdated = 0, dropped }: Omit<KnownFile, 'fingerprint'>,
  ): void {
    const counts = { ...noChunks, chunks, skipped: chunks }
    const earlier = outdated > 0 ? { outdated } : {}
    this.#end(place, { name, status: 'unchanged', ...counts, ...earlier, ...tell(dropped) })
    this.#outdated += outdated
  }

  /** @param reason becomes a warning */
  empty(place: number, name: string, reason: string | undefined, dropped: DroppedCount[] = []): void {
    if (reason) this.warnAbout(place, name, reason)
    this.#empty++
    this.#end(place, { name, status: 'empty', ...noChunks, ...tell(dropped) })
  }

  failure(place: number, name: string, error: SluiceError): void {
    this.#failures[place] = error
    this.#failed++
    this.#end(place, failedOutcome(name, error))
    this.#shown.drop(place)
  }

  /** A chunk of an item, for the documents of the answer. */
  show(place: number, document: Document, added: boolean): void {
    this.#shown.note(place, document, added)
  }

  /** Throws the failure of the first failed item where the whole run fails: in a strict run, or if all items failed. */
  throwFailure(strict: boolean): void {
    const first = this.#failures.find((failure) => failure !== undefined)
    if (first && (strict || this.failed === this.#outcomes.length)) throw first
  }

  /** Sets the counts of indexed items, once every item was read. */
  count(comparison: SourceComparison, { removedBySource, outdatedBySource }: CountsBySource): void {
    for (const outcome of this.#outcomes) {
      if (outcome.status !== 'indexed') continue
      Object.assign(outcome, comparison.countsOf(outcome.name))
      const sources = comparison.sourcesOf(outcome.name)
      outcome.deleted = sumOf(sources, removedBySource)
      const outdated = sumOf(sources, outdatedBySource)
      if (outdated > 0) outcome.outdated = outdated
    }
    for (const count of outdatedBySource.values()) this.#outdated += count
  }

  /**
   * @param heldCount how many chunks the namespace holds before the run
   * @param removedCount how many chunks are removed without a successor
   * @param estimate of a dry run that lists its chunks
   */
  result(
    heldCount: number,
    removedCount: number,
    dryRun: boolean,
    estimate?: EmbeddingEstimate,
  ): UpsertResult {
    const total = (key: 'added' | 'updated' | 'skipped') =>
      this.#outcomes.reduce((sum, outcome) => sum + outcome[key], 0)
    return {
      numAdded: total('added'),
      numUpdated: total('updated'),
      numSkipped: total('skipped'),
      numDeleted: removedCount,
      totalKeys: heldCount + total('added') - removedCount,
      numOutdated: this.#outdated,
      numFailed: this.failed,
      numEmpty: this.#empty,
      files: this.#outcomes,
      warnings: this.#warnings,
      addedDocs: this.#shown.added(),
      ...this.#shown.sourceDocuments(),
      ...(dryRun ? { dryRun: true as const } : {}),
      ...(estimate ? { estimate } : {}),
    }
  }
}
