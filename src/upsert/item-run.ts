import type { StorePart } from '../contract/card.ts'
import { countDropped } from '../documents/dropped-rows.ts'
import type { Loader } from '../contract/loader.ts'
import type { NodeProgress } from '../contract/job.ts'
import type { Publication, SourceFacts, StoreView } from '../contract/ledger.ts'
import type { KeptOriginal } from '../contract/source-load.ts'
import type { RequestOptions } from '../flow/apply-request.ts'
import type { PlannedLoad } from '../flow/plan-store.ts'
import { fingerprint } from '../kit/hash.ts'
import { canonicalJson } from '../kit/json.ts'
import type { DryRunFates } from './dry-run-fates.ts'
import { runGapRoom } from '../text/trace/gap-finder.ts'
import { ExtractedItem } from './extracted-item.ts'
import type { FilePasswords } from '../contract/file-passwords.ts'
import { passwordFor } from './password-for.ts'
import { type GatheredItem, FileFailure, type ReadableItem, readItem } from './run-items.ts'
import type { Originals } from './originals.ts'
import type { LineFigures } from './line-figures.ts'
import { type NodeFigures, noteWork } from './node-figures.ts'
import { RunLoads } from './run-loads.ts'
import { partByPages, type RunProgress } from './run-progress.ts'
import type { RunEdits } from './run-edits.ts'
import type { RunReport } from './run-report.ts'
import type { RunSources } from './run-sources.ts'
import type { SourceComparison } from './source-comparison.ts'
import type { Stager } from './stager.ts'

/** How many warnings one item may give, and how many characters each may have. */
const WARNINGS = { count: 100, length: 1000 }

export type ItemRunOptions = {
  part: StorePart
  options: RequestOptions
  /** The most metadata that a chunk may have, in bytes of JSON. */
  metadataBytes: number
  view: StoreView
  comparison: SourceComparison
  sources: RunSources
  report: RunReport
  progress: RunProgress
  /** Undefined in a dry run, which embeds and writes nothing. */
  stager: Stager | undefined
  /** Only in a dry run. */
  fates: DryRunFates | undefined
  edits: RunEdits
  figures: NodeFigures
  lines?: LineFigures | undefined
  /** Given where the flow keeps the files of its documents. */
  originals?: Originals | undefined
  /** With which settings each loader loads. */
  loads?: ReadonlyMap<Loader, PlannedLoad> | undefined
  /** What opens the files. */
  passwords?: FilePasswords | undefined
  signal: AbortSignal
}

/** Reads the items of one run and compares their chunks with what the store has. */
export class ItemRun {
  /** Names and fingerprints of files that were read, for the publication. */
  readonly files: Publication['files'] = []
  /** Whether an item failed that leads to other items: a folder, a page of a crawl. */
  missesItems = false
  /** What was learned about the sources of items, for the publication. */
  readonly sourceFacts: SourceFacts[] = []
  /** The settings with which sources of items are loaded, for the publication. */
  readonly loads: RunLoads
  /** The ids of files that this run has kept. */
  readonly kept: string[] = []
  readonly #gapRoom = runGapRoom()
  readonly #run: ItemRunOptions
  /** The figures of the node that compares: the record manager, else the store. */
  readonly #comparing: NodeProgress

  constructor(options: ItemRunOptions) {
    this.#run = options
    this.loads = new RunLoads(options.loads, options.options.addMetadata)
    const { recordManager, store } = options.part
    this.#comparing = options.figures.of(recordManager ?? store)
  }

  /** Reads one item and puts its outcome into the report. @throws SluiceError what fails the whole run */
  async read(gathered: GatheredItem, place: number): Promise<void> {
    const { part, signal, sources, report, progress, view, comparison, options, figures, fates } = this.#run
    signal.throwIfAborted()
    const { name } = gathered
    report.begin(place, name)
    if (!('item' in gathered)) sources.seen.add(sources.nameOf(name))
    if ('empty' in gathered) return report.empty(place, name, 'the file is empty')
    if ('error' in gathered) {
      // No loader reads it: it counts at the first one.
      const first = figures.of(part.loaders[0])
      first.files++
      first.errors++
      return report.failure(place, name, gathered.error)
    }

    sources.seen.add(sources.nameOf(gathered.item.source))
    const loader = figures.of(gathered.loader)
    loader.files++
    const whole = wholeFingerprint(gathered, this.#run)
    const before = whole === undefined ? undefined : await view.file(sources.nameOf(name))
    const hasUnreadPages = whole !== undefined && before?.fingerprint === withUnreadPages(whole)
    // An earlier release did not tell which words are in no chunk: the file is read once more, and nothing is embedded again.
    const isKnown = before && (before.fingerprint === whole || hasUnreadPages) && !before.isUntraced
    if (isKnown && !options.returnSourceDocuments) {
      progress.current.chunks.seen += before.chunks
      this.#comparing.reused += before.chunks
      await fates?.addUnchanged(sources.nameOf(gathered.item.source))
      // Its fingerprint proves that it was cut with these settings.
      this.loads.note(sources.nameOf(gathered.item.source), gathered, hasUnreadPages)
      return report.unchanged(place, name, before)
    }
    try {
      await this.#readChunks(gathered, place, whole)
    } catch (error) {
      if (!(error instanceof FileFailure)) throw error
      loader.errors++
      comparison.drop(name, error.error)
      if (gathered.item.discoversOthers) this.missesItems = true
      report.failure(place, name, error.error)
    }
  }

  async #readChunks(gathered: ReadableItem, place: number, whole: string | undefined): Promise<void> {
    const { options, metadataBytes, signal, sources, comparison, report, progress, stager, fates } = this.#run
    const { part, figures, edits, lines } = this.#run
    const embedding = figures.of(part.embedder)
    const { name } = gathered
    const warnings = new Set<string>()
    const warn = (reason: string) =>
      void (warnings.size < WARNINGS.count && warnings.add(reason.slice(0, WARNINGS.length)))
    const password = passwordFor(this.#run.passwords, gathered.item.name)
    const limits = { addMetadata: addMetadataOf(gathered, options), metadataBytes, password }
    let chunks = 0
    const extracted = new ExtractedItem()
    for await (const group of readItem(gathered, limits, warn, signal, figures, extracted)) {
      chunks += group.length
      report.noteChunks(place, group.length)
      progress.noteChunks(
        name,
        group.length,
        group.reduce((sum, { text }) => sum + text.length, 0),
        partByPages(group.at(-1)!.metadata),
      )
      await stager?.room()
      await sources.admit(group)
      const placed = edits.apply(
        group.map((chunk) => sources.place(gathered, chunk)),
        ({ text, range }) => extracted.gaps.delete(text, range),
      )
      const began = performance.now()
      const compared = await comparison.take(name, placed)
      noteWork(this.#comparing, began)
      lines?.passed(
        gathered.loader,
        name,
        compared.map(({ verdict }, i) => ({ text: placed[i]!.text, verdict })),
        chunks - group.length,
      )
      await fates?.add(compared)
      for (const [i, { chunk, verdict, embedded, isRepeated }] of compared.entries()) {
        const { text, metadata } = placed[i]!
        report.show(place, { pageContent: text, metadata }, verdict === 'add')
        if (isRepeated) extracted.gaps.repeat(text, chunk.range)
        if (verdict === 'skip') {
          this.#comparing.reused++
          continue
        }
        if (embedded) embedding.reused++
        progress.current.chunks.due++
        stager?.add(chunk, embedded)
      }
    }
    for (const reason of warnings) report.warnAbout(place, name, reason)
    const { characters, dropped, hasUnreadPages } = extracted
    if (chunks === 0)
      return report.empty(
        place,
        name,
        warnings.size > 0 ? undefined : 'there is no text in it',
        countDropped(dropped),
      )
    if (whole !== undefined && !sources.apart.has(name) && !extracted.mayGain)
      this.files.push({
        name: sources.nameOf(name),
        fingerprint: hasUnreadPages ? withUnreadPages(whole) : whole,
        chunks,
      })
    if (!sources.apart.has(name) && !sources.namedByChunks) {
      const { source, bytes } = gathered.item
      const original = await this.#keep(gathered)
      const gaps = extracted.gaps.end(this.#gapRoom)
      this.sourceFacts.push({
        source: sources.nameOf(source),
        ...{ bytes, characters, original, dropped, gaps },
      })
      this.loads.note(sources.nameOf(source), gathered, hasUnreadPages)
    }
    report.indexed(place, name, chunks, countDropped(dropped))
  }

  /** Keeps the file of an item where the flow wants that. Its id is in `sourceFacts`. */
  async #keep({ name, item, again }: ReadableItem): Promise<KeptOriginal | undefined> {
    if (again?.kept) return again.kept
    const { originals, report, stager } = this.#run
    const { file, bytes = 0 } = item
    if (!originals || !file || !stager) return undefined
    const id = await originals.keep({ path: file.path, bytes })
    if (id === undefined) report.warn(name, 'its file is not kept: MAX_ORIGINALS_MB are used up')
    else this.kept.push(id)
    return id === undefined ? undefined : { id, type: file.type }
  }
}

const addMetadataOf = ({ again }: ReadableItem, options: RequestOptions) =>
  again ? again.addMetadata : options.addMetadata

/** The fingerprint of a file of which pages could not be read: an upsert that skips it has to know that. */
const withUnreadPages = (whole: string): string => fingerprint(`${whole} unread pages`)

/** A fingerprint of the bytes of a file and of all settings for its chunks; undefined if it cannot be known before reading. */
function wholeFingerprint(
  gathered: ReadableItem,
  { part: { recordManager }, options, originals }: Pick<ItemRunOptions, 'part' | 'options' | 'originals'>,
): string | undefined {
  const { loader, item } = gathered
  if (item.fingerprint === undefined || (recordManager?.sourceIdKey ?? 'source') !== 'source')
    return undefined
  return fingerprint(
    canonicalJson([
      item.fingerprint,
      loader.id,
      loader.splitter?.id ?? null,
      addMetadataOf(gathered, options),
      recordManager?.cleanup ?? null,
      // A flow that begins to keep files reads them once more.
      ...(originals ? ['originals'] : []),
    ]),
  )
}
