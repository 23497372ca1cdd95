import type { StorePart } from '../contract/card.ts'
import type { StoreRun } from '../contract/chunk-store.ts'
import type { StoreView } from '../contract/ledger.ts'
import type { Cleanup } from '../contract/record-manager.ts'
import type { Conversation } from '../contract/conversation.ts'
import { ANY_FILE, type FilePasswords } from '../contract/file-passwords.ts'
import type { FateWriter } from '../contract/dry-run.ts'
import type { JobFile, JobProgress } from '../contract/job.ts'
import type { Loader, UploadedFile } from '../contract/loader.ts'
import type { RequestOptions } from '../flow/apply-request.ts'
import type { PlannedLoad } from '../flow/plan-store.ts'
import { findCleanup, type JoinConversation, RunSources } from './run-sources.ts'
import { type GatheredItem, gather, selfFindingLoaders } from './run-items.ts'
import { DryRunFates } from './dry-run-fates.ts'
import { FileRows } from './file-rows.ts'
import { ItemRun } from './item-run.ts'
import { keptWarnings } from './kept-warnings.ts'
import { LineFigures } from './line-figures.ts'
import { NodeFigures } from './node-figures.ts'
import { METADATA_BYTES } from './metadata-size.ts'
import type { UpsertResult, UpsertWarning } from './outcome.ts'
import type { Originals } from './originals.ts'
import { originalSourceName } from '../documents/conversation.ts'
import { RunEdits } from './run-edits.ts'
import { RunProgress } from './run-progress.ts'
import { RunReport } from './run-report.ts'
import { eachInParallel } from './schedule.ts'
import { SourceComparison } from './source-comparison.ts'
import { Stager } from './stager.ts'

export type UpsertWork = {
  part: StorePart
  uploads?: readonly UploadedFile[]
  options: RequestOptions
  /** Warnings of the plan. */
  warnings: readonly UpsertWarning[]
  /** With a chat id only that conversation of the flow finds the documents. */
  conversation?: Conversation | undefined
  /** Asked for each conversation that metadata of documents name; without it they may name any. */
  join?: JoinConversation | undefined
  /** The most metadata that a chunk may have, in bytes of JSON; 16 kB unless given. */
  metadataBytes?: number | undefined
  /** The nodes of the parts, for figures by node. */
  nodeIds?: ReadonlyMap<object, string> | undefined
  /** Replaces secrets in the texts that the record of the run keeps. */
  maskText?: ((text: string) => string) | undefined
  /** Gets the fate of each chunk of a dry run. */
  fates?: FateWriter | undefined
  /** Gets the rows of the files, once: they change while the run goes on. */
  onFiles?: ((rows: readonly JobFile[]) => void) | undefined
  /** Given where the flow keeps the files of its documents. */
  originals?: Originals | undefined
  /** With which settings each loader loads. */
  loads?: ReadonlyMap<Loader, PlannedLoad> | undefined
  /** What opens the files of the run, by their names. */
  passwords?: FilePasswords | undefined
  /** What the run reads instead of uploads and what its loaders find. */
  reading?: RunReading | undefined
  /** What the run does with earlier chunks; as the record manager says unless given. */
  cleanup?: Cleanup | undefined
  /** Sources that are removed where the run does not bring them, and no item of it failed: their names in the store. */
  replaces?: (() => Promise<readonly string[]>) | undefined
  /** What users have changed of the chunks of the store. */
  edits?: (() => Promise<RunEdits>) | undefined
  /** The job of the run: its result is stored together with the publication. */
  jobId?: string | undefined
}

/** Documents that are loaded again. Their chunks replace the earlier ones, whatever the record manager does otherwise. */
export type RunReading = {
  files: readonly Pick<UploadedFile, 'name' | 'size'>[]
  /** Whether the files are all items of the run. */
  known: boolean
  items(signal: AbortSignal): AsyncGenerator<GatheredItem>
  /** Removes what it has copied, after the last item was read. */
  end(): Promise<void>
  /** Names of sources whose files are needed for it and not kept. */
  missing: readonly string[]
  /** Names of sources that its loaders should find again. */
  expected: readonly string[]
}

/** How many names an answer has. */
const NAMED = 20

/** How many items are worked on at the same time: while one is parsed, others are cut and embedded. */
const ITEMS_AT_ONCE = 4

/**
 * Runs one upsert from its files to its publication. It must be the only run of its namespace. A failure before the
 * publication leaves the store as it was.
 *
 * @param store what readers see, and the run that writes; without the run nothing is embedded or written
 * @throws SluiceError the failure of an item in a strict run or if all items failed, `cleanup_refused`, and failures of
 *   the embedder and the store
 */
export async function runUpsert(
  work: UpsertWork,
  { view, run }: { view: StoreView; run?: StoreRun },
  signal: AbortSignal,
  onProgress: (progress: JobProgress) => void = () => {},
): Promise<UpsertResult> {
  const { part, uploads, options, jobId, reading, metadataBytes = METADATA_BYTES } = work
  const { loaders, store, embedder, recordManager } = part
  const sourceIdKey = recordManager?.sourceIdKey ?? 'source'
  const comparison = new SourceComparison(view)
  const sources = new RunSources(work.conversation ?? { flowId: '' }, sourceIdKey, store.pins, work.join)
  const rows = new FileRows(reading?.files ?? uploads)
  work.onFiles?.(rows.rows)
  const report = new RunReport(work.warnings, options.returnSourceDocuments, rows)
  const figures = new NodeFigures(work.nodeIds, part)
  const known = reading?.known ?? selfFindingLoaders(loaders, uploads).length === 0
  const lines = new LineFigures(work.nodeIds, part, work.maskText)
  const progress = new RunProgress(reading?.files ?? uploads, known, onProgress, figures.all, lines.all)
  const stager =
    run &&
    new Stager({
      place: run,
      namespace: store.namespace,
      embedder,
      signal,
      figures: { embedder: figures.of(embedder), store: figures.of(store) },
      embedded: (texts, dimensions) => lines.embedded(texts, dimensions),
      written: (chunks) => comparison.acknowledge(chunks),
      note: (reason) => report.warnOnce('embeddings', reason),
      progress: (counts) => progress.noteStaged(counts),
    })
  const shared = { view, comparison, sources, report, progress }
  const edits = (await work.edits?.()) ?? new RunEdits([])
  const fates = work.fates && new DryRunFates(view, work.fates)
  const items = new ItemRun({
    ...shared,
    originals: work.originals,
    loads: work.loads,
    passwords: work.passwords,
    part,
    options,
    metadataBytes,
    stager,
    signal,
    figures,
    lines,
    fates,
    edits,
  })

  const files = new Map(uploads?.map((upload) => [upload.name, upload]))

  /** Keeps an upload that failed, where the flow keeps files: then it can be tried again without being sent again. */
  async function keepFailed(place: number, name: string): Promise<void> {
    const row = rows.rows[place]
    const upload = files.get(name)
    if (row?.state !== 'failed' || !upload || !work.originals || !run) return
    const { path, size: bytes } = upload
    const id = await work.originals.keep({ path, bytes })
    if (id === undefined) report.warn(name, 'its file is not kept: MAX_ORIGINALS_MB are used up')
    else row.original = { id, bytes }
  }

  /** Items may share a source where chunks name it: then they are read in sequence. */
  const atOnce = sourceIdKey === 'source' ? ITEMS_AT_ONCE : 1
  const readAll = () =>
    eachInParallel(
      reading?.items(signal) ?? gather(loaders, uploads, signal),
      atOnce,
      async (item, place) => {
        try {
          await items.read(item, place)
          await keepFailed(place, item.name)
        } finally {
          if ('item' in item) await item.again?.release?.()
        }
        progress.current.files.failed = report.failed
        progress.current.files.empty = report.empties
        progress.noteFile(item.name, report.outcomes.length)
      },
    )

  try {
    for (const { key, reason } of keptWarnings((await store.kept?.()) ?? [])) report.warn(key, reason)
    await readAll()
    const lost = reading?.expected.filter((name) => !sources.seen.has(sources.nameOf(name))) ?? []
    for (const name of lost.slice(0, NAMED))
      report.warn(name, 'its loader did not find it again, so it stays as it is')
    const named = Object.keys(work.passwords ?? {}).filter((name) => name !== ANY_FILE)
    for (const name of named.slice(0, NAMED))
      if (!rows.rows.some((row) => row.name === name))
        report.warn(name, 'a password was sent for it, but the request has no file of this name')
    progress.current.files.known = true
    report.throwFailure(options.strict)
    progress.enter('embed')
    await stager?.flush()
    progress.enter('publish')
    const { confirmFullCleanup } = options
    const { missesItems, sourceFacts } = items
    const cleanup = await findCleanup({
      ...shared,
      part,
      cleanup: work.cleanup ?? (reading && 'incremental'),
      replaces: await work.replaces?.(),
      run,
      confirmFullCleanup,
      missesItems,
      removed: fates && ((source, ids) => fates.addRemoved(source, ids)),
    })
    const edited = edits.outcome(comparison.sourceNames())
    for (const { source } of edited.lost.slice(0, NAMED))
      report.warn(
        originalSourceName(source),
        'its text has changed where a chunk was edited or deleted: the edit is kept aside',
      )
    signal.throwIfAborted()
    rows.count(report.outcomes)
    const result: UpsertResult = {
      ...report.result(await view.count(), cleanup.removedCount, run === undefined, fates?.estimate),
      ...(fates ? { fates: await fates.totals() } : {}),
      ...(reading
        ? { filesNeeded: { count: reading.missing.length, names: reading.missing.slice(0, NAMED) } }
        : {}),
    }
    await run?.publish({
      stagedCount: progress.current.chunks.written,
      removedChunkIds: cleanup.removedChunkIds,
      outdatedChunkIds: cleanup.outdatedChunkIds,
      movedChunks: comparison.movedChunks(),
      files: items.files,
      updatedSources: comparison.sourceNames(),
      sourceFacts,
      loads: items.loads.all,
      edits: edited.changes,
      invalidatedFiles: cleanup.invalidatedFiles,
      receipt: jobId === undefined ? undefined : { job: jobId, result, progress: progress.current },
    })
    return result
  } catch (error) {
    // Writes that are under way must end before the run is abandoned.
    await stager?.stop()
    for (const id of items.kept) await work.originals?.remove(id)
    throw error
  } finally {
    await reading?.end()
  }
}
