import type { JobProgress, JobStage, NodeProgress } from '../contract/job.ts'
import type { Metadata } from '../contract/document.ts'
import type { RunLine } from '../contract/run-line.ts'
import { isObject } from '../kit/json.ts'
import type { UploadedFile } from '../contract/loader.ts'

type ProgressFile = Pick<UploadedFile, 'name' | 'size'>

/** The progress of one upsert, reported at every change. */
export class RunProgress {
  /** One object, which changes. */
  readonly current: JobProgress
  readonly #bytes: BytesRead
  readonly #report: (progress: JobProgress) => void

  /**
   * @param known whether the uploads are all items of the run
   * @param nodes the figures of the nodes, which change
   * @param lines what passed between them, which changes
   */
  constructor(
    uploads: readonly ProgressFile[] | undefined,
    known: boolean,
    report: (progress: JobProgress) => void,
    nodes: NodeProgress[] = [],
    lines: RunLine[] = [],
  ) {
    this.#bytes = new BytesRead(uploads)
    this.#report = report
    this.current = {
      stage: 'parse',
      files: {
        total: uploads?.length ?? 0,
        done: 0,
        failed: 0,
        empty: 0,
        known,
        bytes: { total: this.#bytes.total, done: 0 },
      },
      chunks: { seen: 0, embedded: 0, written: 0, due: 0 },
      nodes,
      lines,
    }
  }

  enter(stage: JobStage): void {
    this.current.stage = stage
    this.#report(this.current)
  }

  /** Chunks of a file were cut, of so many characters. @param part how much of the file was read, where that is known */
  noteChunks(name: string, count: number, characters: number, part?: number): void {
    this.current.chunks.seen += count
    if (part === undefined) this.#bytes.text(name, characters)
    else this.#bytes.part(name, part)
    this.#noteBytes()
  }

  /** @param count how many items have an outcome or are under way */
  noteFile(name: string, count: number): void {
    const { files } = this.current
    files.total = Math.max(files.total, count)
    files.done++
    this.#bytes.file(name)
    this.#noteBytes()
  }

  noteStaged(counts: Pick<JobProgress['chunks'], 'embedded' | 'written'>): void {
    Object.assign(this.current.chunks, counts)
    this.#report(this.current)
  }

  #noteBytes(): void {
    this.current.files.bytes!.done = this.#bytes.done
    this.#report(this.current)
  }
}

/** How much of a file was read, by the page of one of its chunks; undefined where its metadata have no pages. */
export function partByPages({ loc, pdf }: Metadata): number | undefined {
  const page = isObject(loc) ? loc.pageNumber : undefined
  const total = isObject(pdf) ? pdf.totalPages : undefined
  return typeof page === 'number' && typeof total === 'number' && total > 0 ? page / total : undefined
}

/** Names of files whose text says nothing about the length of the file: their pages do. */
const PAGED = /\.pdf$/i

/** Names of files whose text is about as long as the file; of others the end is not known before it is there. */
const PLAIN = /\.(csv|json|jsonl|log|md|text|tsv|txt)$/i
const MOST_OF_OTHERS = 0.95

/** How many bytes of the uploads are read: whole files, and of a file that is being read about the part so far. */
export class BytesRead {
  readonly #sizes: ReadonlyMap<string, number>
  readonly #partial = new Map<string, number>()
  readonly total: number
  #whole = 0

  constructor(uploads: readonly ProgressFile[] = []) {
    this.#sizes = new Map(uploads.map(({ name, size }) => [name, size]))
    this.total = uploads.reduce((sum, { size }) => sum + size, 0)
  }

  get done(): number {
    return this.#partial.values().reduce((sum, bytes) => sum + bytes, this.#whole)
  }

  /** So many characters of a file were read. Chunks may overlap, so the sum is limited to the size of the file. */
  text(name: string, characters: number): void {
    const size = this.#sizes.get(name)
    if (size === undefined || PAGED.test(name)) return
    const most = PLAIN.test(name) ? size : size * MOST_OF_OTHERS
    this.#partial.set(name, Math.min(most, (this.#partial.get(name) ?? 0) + characters))
  }

  /** So much of a file was read, from 0 to 1. */
  part(name: string, part: number): void {
    const size = this.#sizes.get(name)
    if (size === undefined) return
    this.#partial.set(name, Math.max(this.#partial.get(name) ?? 0, size * Math.min(1, part)))
  }

  /** A file has its outcome. */
  file(name: string): void {
    this.#partial.delete(name)
    this.#whole += this.#sizes.get(name) ?? 0
  }
}
