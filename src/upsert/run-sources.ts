import { chatIdOf, storedSourceName, withChatId } from '../documents/conversation.ts'
import type { Conversation } from '../contract/conversation.ts'
import type { Metadata } from '../contract/document.ts'
import type { Pins } from '../contract/fence.ts'
import { pinned } from '../documents/fence.ts'
import { SluiceError } from '../kit/errors.ts'
import { type CutChunk, FileFailure, type ReadableItem } from './run-items.ts'
import type { IncomingChunk, SourceComparison } from './source-comparison.ts'
import { setImmediate } from 'node:timers/promises'
import type { StorePart } from '../contract/card.ts'
import type { StoreRun } from '../contract/chunk-store.ts'
import type { StoreView } from '../contract/ledger.ts'
import type { Cleanup } from '../contract/record-manager.ts'
import { outdatedWarning } from './outdated-warning.ts'
import type { RunReport } from './run-report.ts'

/** Begins or continues a conversation of the flow. @throws SluiceError `session_taken` */
export type JoinConversation = (chatId: string) => Promise<void>

/**
 * The source of each chunk: its item, or the value of the record manager's key in its metadata. Sources of a conversation
 * have names of their own.
 */
export class RunSources {
  readonly #conversation: Conversation
  readonly #key: string
  /** All sources that the run has met, also of items that failed, by their names in the store. */
  readonly seen = new Set<string>()

  /** Items with chunks whose metadata name a conversation. Equal bytes do not prove that the store still has these. */
  readonly apart = new Set<string>()

  readonly #pins: Pins | undefined
  readonly #join: JoinConversation | undefined
  readonly #joined = new Map<string, Promise<void>>()

  /**
   * @param pins metadata that every chunk gets
   * @param join asked once for each conversation that metadata name
   */
  constructor(conversation: Conversation, sourceIdKey: string, pins?: Pins, join?: JoinConversation) {
    this.#pins = pins
    this.#join = join
    this.#conversation = conversation
    this.#key = sourceIdKey
  }

  /** Whether all documents of the run belong to one conversation. */
  get inConversation(): boolean {
    return this.#conversation.chatId !== undefined
  }

  /** Whether the metadata of chunks name their sources: then an item may have several, and a source several items. */
  get namedByChunks(): boolean {
    return this.#key !== 'source'
  }

  /** The name of an item in the store. */
  nameOf(item: string): string {
    return storedSourceName(item, this.inConversation ? this.#conversation : undefined)
  }

  /** Checks that the run may load chunks into the conversations that their metadata name. @throws FileFailure `session_taken` */
  async admit(chunks: readonly Pick<CutChunk, 'metadata'>[]): Promise<void> {
    const join = this.#join
    if (!join || this.inConversation) return
    for (const chatId of new Set(chunks.map(({ metadata }) => chatIdOf(metadata)))) {
      if (chatId === undefined) continue
      const joined = this.#joined.get(chatId) ?? join(chatId)
      this.#joined.set(chatId, joined)
      await joined.catch((error: unknown) => {
        throw error instanceof SluiceError && error.code === 'session_taken' ? new FileFailure(error) : error
      })
    }
  }

  /**
   * A chunk with its source and its conversation. The conversation of the request wins over that of the metadata.
   *
   * @throws FileFailure `source_id_missing`
   */
  place(readable: ReadableItem, { text, head, metadata, range }: CutChunk): IncomingChunk {
    const { flowId, chatId = chatIdOf(metadata) } = this.#conversation
    const name = this.#sourceOf(readable, metadata)
    const source = storedSourceName(name, chatId === undefined ? undefined : { flowId, chatId })
    this.seen.add(source)
    if (chatId !== this.#conversation.chatId) this.apart.add(readable.name)
    return {
      text,
      ...(head === undefined ? {} : { head }),
      source,
      metadata: pinned(withChatId(metadata, chatId), this.#pins),
      // Several items may have chunks of one source where chunks name it: then it has no text of its own.
      range: this.namedByChunks ? undefined : range,
    }
  }

  #sourceOf({ name, item }: ReadableItem, metadata: Metadata): string {
    if (this.#key === 'source') return item.source
    const value = metadata[this.#key]
    if (typeof value === 'string' || typeof value === 'number') return String(value)
    throw new FileFailure(new SluiceError('source_id_missing', { file: name, key: this.#key }))
  }
}

/** What the publication of a run removes. */
export type CleanupResult = {
  /** Ids of chunks, replaced ones included. */
  removedChunkIds: number[]
  /** How many chunks are removed without a successor, of sources that the run has read. */
  removedBySource: ReadonlyMap<string, number>
  /** How many chunks are removed without a successor, of all sources. */
  removedCount: number
  /** Chunks that stay though the run does not have them: of earlier versions of the sources that it has read. */
  outdatedChunkIds: number[]
  /** How many these are, by source. */
  outdatedBySource: ReadonlyMap<string, number>
  /** Names of sources that are removed as a whole: their files are read again when they are sent again. */
  invalidatedFiles: string[]
}

export type CleanupOptions = {
  part: Pick<StorePart, 'store' | 'recordManager'>
  /** That of the record manager unless given. */
  cleanup?: Cleanup | undefined
  /** Sources that are removed where the run did not see them, unless an item failed. */
  replaces?: readonly string[] | undefined
  /** Whether a full cleanup may remove most of a large namespace. */
  confirmFullCleanup: boolean
  view: StoreView
  run: StoreRun | undefined
  comparison: SourceComparison
  sources: RunSources
  report: RunReport
  /** Whether an item failed that leads to other items, such as a folder. */
  missesItems: boolean
  /** Called with chunks that are removed without a successor. */
  removed?: RemovedListener | undefined
}

type RemovedListener = (source: string, ids: readonly number[]) => Promise<void>

/** After so many sources, about 10 ms of work, other requests get their turn. */
const SOURCES_AT_ONCE = 500

/** A full cleanup that removes more than half of a namespace with more chunks than this needs a confirmation. */
const GUARDED_SIZE = 1000

/**
 * Finds what the publication of a run removes, after all items were read, and counts it in the report.
 *
 * @throws SluiceError `cleanup_refused`
 */
export async function findCleanup(options: CleanupOptions): Promise<CleanupResult> {
  const { part, confirmFullCleanup, view, run, comparison, sources, report } = options
  const wanted = options.cleanup ?? part.recordManager?.cleanup ?? 'none'
  // The files of a conversation do not tell which other sources are gone.
  const cleanup = wanted === 'full' && sources.inConversation ? 'incremental' : wanted
  const reason = cleanup === 'full' ? reasonAgainstFull(options) : undefined
  if (reason) report.warn('cleanup', `full: other sources stay, since ${reason}`)
  const seen = cleanup === 'full' && !reason ? sources.seen : undefined
  const replaced = replacedSources(options)
  const result = await findRemoved(view, comparison, { cleanup, seen, replaced, removed: options.removed })
  if (seen && !confirmFullCleanup) await refuseLargeCleanup(part, view, result.removedCount)
  for (const source of comparison.dropped())
    for (const id of (await run?.staged(source)) ?? []) result.removedChunkIds.push(id)
  report.count(comparison, result)
  const outdated = outdatedWarning(report.outcomes, part.recordManager !== undefined)
  if (outdated) report.warn('cleanup', outdated)
  return result
}

/** Why it is not known which sources are gone; undefined where it is known. */
function reasonAgainstFull({ part, report, missesItems }: CleanupOptions): string | undefined {
  if (missesItems) return 'what failed may lead to them'
  const sourceIdKey = part.recordManager?.sourceIdKey ?? 'source'
  // The source of a file without chunks is not known where chunks name their sources in their metadata.
  return sourceIdKey !== 'source' && report.outcomes.some(({ chunks }) => chunks === 0)
    ? 'those of the files that gave no chunks are not known'
    : undefined
}

/** Those that the run replaces and did not bring; none where a failed item may be one of them. */
function replacedSources({ replaces = [], sources, report }: CleanupOptions): string[] {
  const gone = replaces.filter((source) => !sources.seen.has(source))
  if (gone.length === 0 || report.failed === 0) return gone
  report.warn('replaceExisting', 'the earlier documents stay, since not all files could be loaded')
  return []
}

async function refuseLargeCleanup({ store }: CleanupOptions['part'], view: StoreView, count: number) {
  const total = await view.count()
  if (total > GUARDED_SIZE && count > total / 2)
    throw new SluiceError('cleanup_refused', { count, total, namespace: store.namespace })
}

type Wanted = {
  cleanup: Cleanup
  /** The sources that a full cleanup keeps; undefined for any other cleanup. */
  seen: ReadonlySet<string> | undefined
  replaced: readonly string[]
  removed: RemovedListener | undefined
}

async function findRemoved(
  view: StoreView,
  comparison: SourceComparison,
  { cleanup, seen, replaced, removed }: Wanted,
): Promise<CleanupResult> {
  const removedChunkIds: number[] = []
  const removedBySource = new Map<string, number>()
  const outdatedChunkIds: number[] = []
  const outdatedBySource = new Map<string, number>()
  let removedCount = 0

  for (const [at, source] of comparison.sourceNames().entries()) {
    if (at % SOURCES_AT_ONCE === SOURCES_AT_ONCE - 1) await setImmediate()
    let missing = 0
    const outdatedBefore = outdatedChunkIds.length
    for await (const ids of view.visible(source)) {
      const gone: number[] = []
      for (const id of ids) {
        const state = comparison.stateOf(source, id)
        if (state === 'kept') continue
        if (state === 'missing' && cleanup === 'none') {
          outdatedChunkIds.push(id)
          continue
        }
        removedChunkIds.push(id)
        if (state === 'missing') gone.push(id)
      }
      missing += gone.length
      await removed?.(source, gone)
    }
    removedBySource.set(source, missing)
    outdatedBySource.set(source, outdatedChunkIds.length - outdatedBefore)
    removedCount += missing
  }

  const invalidatedFiles = seen ? (await view.sources()).filter((source) => !seen.has(source)) : replaced
  for (const [at, source] of invalidatedFiles.entries()) {
    if (at % SOURCES_AT_ONCE === SOURCES_AT_ONCE - 1) await setImmediate()
    for await (const ids of view.visible(source)) {
      for (const id of ids) removedChunkIds.push(id)
      removedCount += ids.length
      await removed?.(source, ids)
    }
  }
  return {
    ...{ removedChunkIds, removedBySource, removedCount },
    ...{ outdatedChunkIds, outdatedBySource, invalidatedFiles: [...invalidatedFiles] },
  }
}
