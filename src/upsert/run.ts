import { setImmediate } from 'node:timers/promises'
import type { Publication, StoreRun, StoreView } from '../contract/chunk-store.ts'
import type { StorePart } from '../contract/card.ts'
import type { Conversation } from '../contract/conversation.ts'
import type { JobProgress } from '../contract/job.ts'
import type { UploadedFile } from '../contract/loader.ts'
import { SluiceError } from '../kit/errors.ts'
import type { JsonObject } from '../kit/json.ts'
import { type Departures, findDepartures } from './departures.ts'
import { ShownDocuments } from './documents.ts'
import { BytesRead } from './bytes-read.ts'
import { type Gathered, gather, seekers } from './gather.ts'
import {
  failedOutcome,
  type FileOutcome,
  noChunks,
  type UpsertResult,
  type UpsertWarning,
} from './outcome.ts'
import { METADATA_BYTES } from './metadata-size.ts'
import { FileFailure, type Readable, readItem } from './read-item.ts'
import { RunSources } from './run-sources.ts'
import { SourceLedger } from './source-ledger.ts'
import { Stager } from './stager.ts'
import { wholeFingerprint } from './whole-fingerprint.ts'

export type UpsertOptions = {
  strict: boolean
  dryRun: boolean
  confirmFullCleanup: boolean
  returnSourceDocuments: boolean
  addMetadata: JsonObject
}

export type UpsertWork = {
  part: StorePart
  uploads?: readonly UploadedFile[]
  options: UpsertOptions
  /** What the plan has to say already. */
  warnings: readonly UpsertWarning[]
  /** The flow, and the conversation that alone finds what is loaded; without a chat id everybody finds it. */
  conversation?: Conversation | undefined
  /** The most metadata that a chunk may have, in bytes of JSON; 16 kB unless given. */
  metadataBytes?: number | undefined
  /** Whose run it is: what came of it is kept for this job when it is published. */
  jobId?: string | undefined
}

/** Where a run stands. */
export type UpsertProgress = JobProgress

/** How many items are worked on side by side: while one is parsed, others are cut and embedded. */
const ITEMS_AT_ONCE = 4

/** How many items are read before other requests get their turn. */
const ITEMS_IN_A_ROW = 64

/** How many warnings one item may give. */
const NOTES = 100
/** Characters of one of them. */
const NOTE_LENGTH = 1000

/** A namespace of more chunks than this is not emptied by an oversight. */
const GUARDED_SIZE = 1000

/**
 * One upsert, from its files to the moment of its publication. It must be the only run of its namespace. Whatever
 * fails before the publication leaves the store as it was.
 *
 * @param view what the store holds; with `run` undefined nothing is embedded or written
 */
export class UpsertRun {
  readonly #work: UpsertWork
  readonly #view: StoreView
  readonly #run: StoreRun | undefined
  readonly #stager: Stager | undefined
  readonly #signal: AbortSignal
  readonly #report: () => void
  readonly #ledger: SourceLedger
  readonly #shown: ShownDocuments
  readonly #outcomes: FileOutcome[] = []
  readonly #warnings: UpsertWarning[]
  /** What is said once a run however often it happens. */
  readonly #saidOnce = new Set<string>()
  readonly #files: Publication['files'] = []
  /** Names the sources; what it has seen, read or not, a full cleanup spares. */
  readonly #sources: RunSources
  /** Something failed that others are found through: a folder, a page of a crawl. */
  #trailLost = false
  /** By the place of their item: which one is found out first is chance. */
  readonly #failures: SluiceError[] = []
  readonly #bytes: BytesRead
  readonly progress: UpsertProgress

  constructor(
    work: UpsertWork,
    store: { view: StoreView; run?: StoreRun },
    signal: AbortSignal,
    onProgress: (progress: UpsertProgress) => void = () => {},
  ) {
    this.#work = work
    this.#view = store.view
    this.#run = store.run
    this.#signal = signal
    this.#warnings = [...work.warnings]
    this.#ledger = new SourceLedger(store.view)
    this.#sources = new RunSources(work.conversation ?? { flowId: '' }, this.#sourceIdKey())
    this.#shown = new ShownDocuments(work.options.returnSourceDocuments)
    this.#bytes = new BytesRead(work.uploads)
    this.progress = {
      stage: 'parse',
      files: {
        total: work.uploads?.length ?? 0,
        done: 0,
        failed: 0,
        known: seekers(work.part.loaders, work.uploads).length === 0,
        bytes: { total: this.#bytes.total, done: 0 },
      },
      chunks: { seen: 0, embedded: 0, written: 0, due: 0 },
    }
    this.#report = () => onProgress(this.progress)
    this.#stager =
      store.run &&
      new Stager({
        place: store.run,
        namespace: work.part.store.namespace,
        embedder: work.part.embedder,
        signal,
        written: (chunks) => this.#ledger.acknowledge(chunks),
        note: (reason) => this.#warnOnce('embeddings', reason),
        progress: (counts) => {
          Object.assign(this.progress.chunks, counts)
          this.#report()
        },
      })
  }

  async execute(): Promise<UpsertResult> {
    try {
      return await this.#execute()
    } catch (error) {
      // What comes to its end after the run was given up would be written to a run that is gone.
      await this.#stager?.stop()
      throw error
    }
  }

  async #execute(): Promise<UpsertResult> {
    await this.#readAll()
    const { files } = this.progress
    files.known = true
    const firstFailure = this.#failures.find((failure) => failure !== undefined)
    if (firstFailure && (this.#work.options.strict || files.failed === this.#outcomes.length))
      throw firstFailure
    this.#enter('embed')
    await this.#stager?.flush()
    this.#enter('publish')
    const { removedChunkIds, removed, invalidatedFiles } = await this.#cleanUp()
    this.#signal.throwIfAborted()
    const result = await this.#result(removed)
    const { jobId: job } = this.#work
    await this.#run?.publish({
      stagedCount: this.progress.chunks.written,
      removedChunkIds,
      files: this.#files,
      updatedSources: this.#ledger.names(),
      invalidatedFiles,
      receipt: job === undefined ? undefined : { job, result, progress: this.progress },
    })
    return result
  }

  /** More of the files is read. */
  #readOn(): void {
    this.progress.files.bytes!.done = this.#bytes.done
    this.#report()
  }

  #enter(stage: UpsertProgress['stage']): void {
    this.progress.stage = stage
    this.#report()
  }

  /** Works through the items, several side by side; each leaves its outcome in its own place. */
  async #readAll(): Promise<void> {
    const { part, uploads } = this.#work
    const items = gather(part.loaders, uploads, this.#signal)
    const atOnce = this.#sourceIdKey() === 'source' ? ITEMS_AT_ONCE : 1
    let next = 0
    let over = false
    const worker = async () => {
      while (!over) {
        const { value, done } = await items.next()
        if (done) return
        const place = next++
        // Small items are read without waiting for anything: other requests get their turn in between.
        if (place % ITEMS_IN_A_ROW === ITEMS_IN_A_ROW - 1) await setImmediate()
        this.#outcomes[place] = await this.#readOne(value, place)
        this.progress.files.total = Math.max(this.progress.files.total, this.#outcomes.length)
        this.progress.files.done++
        this.#bytes.file(value.name)
        this.#readOn()
      }
    }
    // One that fails ends the run, but not before the others have let go of their files.
    const stop = (reason: unknown) => {
      over = true
      throw reason
    }
    const ends = await Promise.allSettled(Array.from({ length: atOnce }, () => worker().catch(stop)))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  async #readOne(gathered: Gathered, place: number): Promise<FileOutcome> {
    this.#signal.throwIfAborted()
    const { name } = gathered
    if (!('item' in gathered)) this.#sources.seen.add(this.#sources.nameOf(name))
    if ('empty' in gathered) return this.#emptyOutcome(name, 'the file is empty')
    if ('error' in gathered) return this.#failed(name, place, gathered.error)

    const { source } = gathered.item
    this.#sources.seen.add(this.#sources.nameOf(source))
    const whole = wholeFingerprint(gathered, this.#work)
    const before = whole === undefined ? undefined : await this.#view.file(this.#sources.nameOf(name))
    if (before && before.fingerprint === whole && !this.#work.options.returnSourceDocuments) {
      this.progress.chunks.seen += before.chunks
      return { name, status: 'unchanged', ...noChunks, chunks: before.chunks, skipped: before.chunks }
    }
    try {
      return await this.#readAfresh(gathered, place, whole)
    } catch (error) {
      if (!(error instanceof FileFailure)) throw error
      this.#ledger.discard(name, error.error)
      this.#shown.forget(place)
      if (gathered.item.discoversOthers) this.#trailLost = true
      return this.#failed(name, place, error.error)
    }
  }

  async #readAfresh(gathered: Readable, place: number, whole: string | undefined): Promise<FileOutcome> {
    const { name } = gathered
    let chunks = 0
    const notes = new Set<string>()
    const note = (reason: string) => void (notes.size < NOTES && notes.add(reason.slice(0, NOTE_LENGTH)))
    const { options, metadataBytes = METADATA_BYTES } = this.#work
    const dress = { addMetadata: options.addMetadata, metadataBytes }
    for await (const group of readItem(gathered, dress, note, this.#signal)) {
      chunks += group.length
      this.progress.chunks.seen += group.length
      this.#bytes.text(
        name,
        group.reduce((sum, { text }) => sum + text.length, 0),
      )
      this.#readOn()
      await this.#stager?.room()
      const placed = group.map((chunk) => this.#sources.place(gathered, chunk))
      const judged = await this.#ledger.take(name, placed)
      for (const [i, { chunk, verdict, embedded }] of judged.entries()) {
        this.#shown.note(
          place,
          { pageContent: placed[i]!.text, metadata: placed[i]!.metadata },
          verdict === 'add',
        )
        if (verdict === 'skip') continue
        this.progress.chunks.due++
        this.#stager?.add(chunk, embedded)
      }
    }
    for (const reason of notes) this.#warnings.push({ key: name, reason })
    if (chunks === 0) return this.#emptyOutcome(name, notes.size > 0 ? undefined : 'there is no text in it')
    if (whole !== undefined && !this.#sources.apart.has(name))
      this.#files.push({ name: this.#sources.nameOf(name), fingerprint: whole, chunks })
    // The counts are final once every item was read: a later one may share a source.
    return { name, status: 'indexed', ...noChunks, chunks }
  }

  #emptyOutcome(name: string, reason: string | undefined): FileOutcome {
    if (reason) this.#warnings.push({ key: name, reason })
    return { name, status: 'empty', ...noChunks }
  }

  #warnOnce(key: string, reason: string): void {
    if (this.#saidOnce.has(reason)) return
    this.#saidOnce.add(reason)
    this.#warnings.push({ key, reason })
  }

  #failed(name: string, place: number, error: SluiceError): FileOutcome {
    this.#failures[place] = error
    this.progress.files.failed++
    return failedOutcome(name, error)
  }

  #sourceIdKey(): string {
    return this.#work.part.recordManager?.sourceIdKey ?? 'source'
  }

  /** What goes at publication. */
  async #cleanUp(): Promise<Departures> {
    const wanted = this.#work.part.recordManager?.cleanup ?? 'none'
    // A file that is brought to a conversation says nothing of the others.
    const cleanup = wanted === 'full' && this.#sources.inConversation ? 'incremental' : wanted
    const reason = cleanup === 'full' ? this.#reasonToSpare() : undefined
    if (reason) this.#warnings.push({ key: 'cleanup', reason: `full: other sources stay, since ${reason}` })
    const spared = cleanup === 'full' && !reason ? this.#sources.seen : undefined
    const departures = await findDepartures(this.#view, this.#ledger, cleanup, spared)
    if (spared) await this.#guardFullCleanup(departures.removed)
    for (const source of this.#ledger.discarded())
      for (const id of (await this.#run?.staged(source)) ?? []) departures.removedChunkIds.push(id)
    this.#finishOutcomes(departures.removedOf)
    return departures
  }

  /** Why a full cleanup cannot tell which sources are gone; undefined where it can. */
  #reasonToSpare(): string | undefined {
    if (this.#trailLost) return 'what failed may lead to them'
    if (this.#missesSources()) return 'those of the files that gave no chunks are not known'
    return undefined
  }

  /** Where chunks name their sources by another key, a file that gave none leaves open what it stands for. */
  #missesSources(): boolean {
    return this.#sourceIdKey() !== 'source' && this.#outcomes.some((outcome) => outcome.chunks === 0)
  }

  async #guardFullCleanup(count: number): Promise<void> {
    const total = await this.#view.count()
    if (this.#work.options.confirmFullCleanup || total <= GUARDED_SIZE || count <= total / 2) return
    throw new SluiceError('cleanup_refused', { count, total, namespace: this.#work.part.store.namespace })
  }

  #finishOutcomes(removedOf: ReadonlyMap<string, number>): void {
    for (const outcome of this.#outcomes) {
      if (outcome.status !== 'indexed') continue
      Object.assign(outcome, this.#ledger.countsOf(outcome.name))
      outcome.deleted = this.#ledger
        .sourcesOf(outcome.name)
        .reduce((sum, source) => sum + (removedOf.get(source) ?? 0), 0)
    }
  }

  /** What is told of the run, just before it is published. */
  async #result(removed: number): Promise<UpsertResult> {
    const total = (key: 'added' | 'updated' | 'skipped') =>
      this.#outcomes.reduce((sum, outcome) => sum + outcome[key], 0)
    return {
      numAdded: total('added'),
      numUpdated: total('updated'),
      numSkipped: total('skipped'),
      numDeleted: removed,
      totalKeys: (await this.#view.count()) + total('added') - removed,
      numFailed: this.progress.files.failed,
      files: this.#outcomes,
      warnings: this.#warnings,
      addedDocs: this.#shown.added(),
      ...this.#shown.sourceDocuments(),
      ...(this.#run ? {} : { dryRun: true as const }),
    }
  }
}
