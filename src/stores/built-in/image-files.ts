import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import path from 'node:path'
import { DATA_FILES } from '../../contract/data-files.ts'
import type { Database } from '../../db/sqlite/database.ts'
import {
  beginImage,
  forgetImage,
  imageRecord,
  imageTokens,
  isPublished,
  noteImage,
} from '../../db/sqlite/vector-images.ts'
import { randomId } from '../../kit/hash.ts'
import type { VectorImage } from '../../vector/image.ts'
import { type AtRest, readImageFile, writeImageFile } from '../../vector/image-file.ts'
import type { ScanThreads } from '../../vector/scan-threads.ts'

/** The name of the file of an index; a file that is being written ends with `PARTIAL`. */
const nameOf = (indexId: number, token: string) => `${indexId}-${token}.vectors`
const PARTIAL = '.partial'

/**
 * The image files of a data directory. They only save time: a file that is missing, damaged or of another history of the
 * database is not used, and deleted. The database names the file of each index, so a switch to a new file is a transaction.
 */
export class ImageFiles {
  readonly #database: Database
  readonly #folder: string
  /** The paths of files that are being written. */
  readonly #unfinished = new Set<string>()

  constructor(database: Database) {
    this.#database = database
    this.#folder = path.join(path.dirname(database.file), DATA_FILES.vectorImages)
  }

  /** The image of an index in the state of an earlier run; undefined where there is no sound file of it. */
  async load(
    indexId: number,
    threads: ScanThreads,
  ): Promise<{ image: VectorImage; run: number } | undefined> {
    const record = imageRecord(this.#database.reader, indexId)
    if (!record) return undefined
    const { token, run } = record
    const file = path.join(this.#folder, nameOf(indexId, token))
    const image = isPublished(this.#database.reader, indexId, run)
      ? await readImageFile(file, { index: indexId, token, run }, threads)
      : undefined
    if (image) return { image, run }
    rmSync(file, { force: true })
    await this.#database.write(forgetImage, { indexId, token }).catch(() => {})
    return undefined
  }

  /**
   * Writes a new file of an index and deletes the one before. Returns whether it did: not where the disk is full, the index
   * is gone or changes too quickly.
   */
  async save(indexId: number, image: VectorImage, atRest: AtRest, signal: AbortSignal): Promise<boolean> {
    if (!this.#database.hasRoom(image.bytes)) return false
    if (!(await this.#database.write(beginImage, indexId))) return false
    const token = randomId()
    const name = nameOf(indexId, token)
    const file = path.join(this.#folder, name)
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    let isKept = false
    this.#unfinished.add(file + PARTIAL).add(file)
    try {
      const run = await writeImageFile(file + PARTIAL, image, { index: indexId, token, atRest, signal })
      if (run === undefined) return false
      await rename(file + PARTIAL, file)
      isKept = await this.#database.write(noteImage, { indexId, token, run })
      return isKept
    } finally {
      for (const one of [file + PARTIAL, file]) this.#unfinished.delete(one)
      rmSync(file + PARTIAL, { force: true })
      this.#remove((one) => one.startsWith(`${indexId}-`) && (one === name) !== isKept)
    }
  }

  /** Deletes the file of an index. */
  remove(indexId: number): void {
    this.#remove((name) => name.startsWith(`${indexId}-`))
  }

  /** Deletes the files that no index has. */
  sweep(): void {
    const tokens = imageTokens(this.#database.reader)
    this.#remove(
      (name) =>
        !tokens.has(name.slice(name.indexOf('-') + 1, name.indexOf('.'))) &&
        !this.#unfinished.has(path.join(this.#folder, name)),
    )
  }

  #remove(isUnused: (name: string) => boolean): void {
    let names: string[] = []
    try {
      names = readdirSync(this.#folder)
    } catch {
      // No file has been written yet.
    }
    for (const name of names) if (isUnused(name)) rmSync(path.join(this.#folder, name), { force: true })
  }
}
