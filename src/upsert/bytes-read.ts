import type { UploadedFile } from '../contract/loader.ts'

/** Names of files whose text is about as long as the file. */
const PLAIN = /\.(csv|json|jsonl|log|md|text|tsv|txt)$/i

/** How many bytes of the uploads are read: whole files, and of a long plain text also the part that was read. */
export class BytesRead {
  readonly #sizes: ReadonlyMap<string, number>
  readonly #inside = new Map<string, number>()
  readonly total: number
  #whole = 0

  constructor(uploads: readonly UploadedFile[] = []) {
    this.#sizes = new Map(uploads.map(({ name, size }) => [name, size]))
    this.total = uploads.reduce((sum, { size }) => sum + size, 0)
  }

  get done(): number {
    return this.#inside.values().reduce((sum, bytes) => sum + bytes, this.#whole)
  }

  /** So many characters of a file were read; chunks may share text, so that this is never more than the file. */
  text(name: string, characters: number): void {
    const size = this.#sizes.get(name)
    if (size === undefined || !PLAIN.test(name)) return
    this.#inside.set(name, Math.min(size, (this.#inside.get(name) ?? 0) + characters))
  }

  /** A file is done, whatever became of it. */
  file(name: string): void {
    this.#inside.delete(name)
    this.#whole += this.#sizes.get(name) ?? 0
  }
}
