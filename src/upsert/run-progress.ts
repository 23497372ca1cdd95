import type { JobProgress, JobStage } from '../contract/job.ts'
import type { UploadedFile } from '../contract/loader.ts'

/** The progress of one upsert, reported at every change. */
export class RunProgress {
  /** One object, which changes. */
  readonly current: JobProgress
  readonly #bytes: BytesRead
  readonly #report: (progress: JobProgress) => void

  /** @param known whether the uploads are all items of the run */
  constructor(
    uploads: readonly UploadedFile[] | undefined,
    known: boolean,
    report: (progress: JobProgress) => void,
  ) {
    this.#bytes = new BytesRead(uploads)
    this.#report = report
    this.current = {
      stage: 'parse',
      files: {
        total: uploads?.length ?? 0,
        done: 0,
        failed: 0,
        known,
        bytes: { total: this.#bytes.total, done: 0 },
      },
      chunks: { seen: 0, embedded: 0, written: 0, due: 0 },
    }
  }

  enter(stage: JobStage): void {
    this.current.stage = stage
    this.#report(this.current)
  }

  /** Chunks of a file were cut, of so many characters. */
  noteChunks(name: string, count: number, characters: number): void {
    this.current.chunks.seen += count
    this.#bytes.text(name, characters)
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

/** Names of files whose text is about as long as the file. */
const PLAIN = /\.(csv|json|jsonl|log|md|text|tsv|txt)$/i

/** How many bytes of the uploads are read: whole files, and of a plain text also the part that was read so far. */
export class BytesRead {
  readonly #sizes: ReadonlyMap<string, number>
  readonly #partial = new Map<string, number>()
  readonly total: number
  #whole = 0

  constructor(uploads: readonly UploadedFile[] = []) {
    this.#sizes = new Map(uploads.map(({ name, size }) => [name, size]))
    this.total = uploads.reduce((sum, { size }) => sum + size, 0)
  }

  get done(): number {
    return this.#partial.values().reduce((sum, bytes) => sum + bytes, this.#whole)
  }

  /** So many characters of a file were read. Chunks may overlap, so the sum is limited to the size of the file. */
  text(name: string, characters: number): void {
    const size = this.#sizes.get(name)
    if (size === undefined || !PLAIN.test(name)) return
    this.#partial.set(name, Math.min(size, (this.#partial.get(name) ?? 0) + characters))
  }

  /** A file has its outcome. */
  file(name: string): void {
    this.#partial.delete(name)
    this.#whole += this.#sizes.get(name) ?? 0
  }
}
