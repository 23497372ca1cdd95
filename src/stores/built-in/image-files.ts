import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import path from 'node:path'
import { DATA_FILES } from '../../contract/data-files.ts'
import type { Database } from '../../db/sqlite/database.ts'
import {
  beginImage,
  dropImage,
  imageRecord,
  imageTokens,
  isPublished,
  noteImage,
} from '../../db/sqlite/vector-images.ts'
import { randomId } from '../../kit/hash.ts'
import type { VectorImage } from '../../vector/image.ts'
import { blockBytes } from '../../vector/blocks.ts'
import type { ImageFileState } from '../../vector/file-places.ts'
import { type AtRest, readImageFile, writeImageFile } from '../../vector/image-file.ts'
import type { ScanThreads } from '../../vector/scan-threads.ts'

/** What the database knows of a file: its random name, where its trailer is, and how often it was completed. */
const tokenOf = (file: string, trailerAt: number, version: number) => `${file}.${trailerAt}.${version}`
const partsOf = (token: string) => {
  const [file = '', at, version] = token.split('.')
  return { file, trailerAt: Number(at), version: Number(version) }
}
/** The name of the file of an index; a file that is new and not complete ends with `PARTIAL`. */
const nameOf = (indexId: number, file: string) => `${indexId}-${file}.vectors`
const PARTIAL = '.partial'

/** Where the file of an index is, below the folder of its database. @param token what the database knows of the file */
export const imageFileName = (indexId: number, token: string): string =>
  `${DATA_FILES.vectorImages}/${nameOf(indexId, partsOf(token).file)}`

/** The file that has an image in memory, in the state of `token`. `changed`: the numbers of the blocks that changed since. */
type Kept = { token: string; state: ImageFileState; changed: Set<number> }

/** A file is written anew where more than one block in so many has changed, or where it is so many times as long as its image. */
const CHANGED_SHARE = 2
const MOST_LENGTH = 3

/**
 * The image files of a data directory. They only save time: a file that is missing, damaged or of another history of the
 * database is not used, and deleted. The database names the file of each index and its state, so a switch to a new file, or to
 * a newer state of the same file, is a transaction.
 */
export class ImageFiles {
  readonly #database: Database
  readonly #folder: string
  /** The paths of files that are being written. */
  readonly #unfinished = new Set<string>()
  readonly #kept = new WeakMap<VectorImage, Kept>()

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
    const { file: name, trailerAt } = partsOf(token)
    const file = path.join(this.#folder, nameOf(indexId, name))
    const read = isPublished(this.#database.reader, indexId, run)
      ? await readImageFile(file, trailerAt, { index: indexId, token, run }, threads)
      : undefined
    if (read) {
      const { image, state } = read
      this.#keep(image, token, state, new Set())
      return { image, run }
    }
    rmSync(file, { force: true })
    await this.#database.write(dropImage, { indexId, token }).catch(() => {})
    return undefined
  }

  /** How many bytes of an image its file does not have. */
  unsavedBytes(image: VectorImage): number {
    const kept = this.#kept.get(image)
    return kept ? kept.changed.size * bytesOfBlock(image) : image.bytes
  }

  /**
   * Brings the file of an index up to date: what changed is added to the file, or written to a new one, which takes the place of
   * the one before. Returns whether it did: not where the disk is full, the index is gone or changes too quickly.
   */
  async save(indexId: number, image: VectorImage, atRest: AtRest, signal: AbortSignal): Promise<boolean> {
    if (!(await this.#database.write(beginImage, indexId))) return false
    const kept = this.#kept.get(image)
    const isCurrent = kept !== undefined && imageRecord(this.#database.reader, indexId)?.token === kept.token
    const before =
      isCurrent &&
      this.unsavedBytes(image) * CHANGED_SHARE <= image.bytes &&
      kept.state.trailer.at <= image.bytes * MOST_LENGTH
        ? kept
        : { token: tokenOf(randomId(), 0, 0), state: undefined, changed: this.#watchAll(image) }
    if (!this.#database.hasRoom(before.changed.size * bytesOfBlock(image))) return false
    try {
      return await this.#write(indexId, image, before, { atRest, signal })
    } catch (error) {
      // What the file has is not known: the next save begins a new one.
      this.#kept.delete(image)
      throw error
    }
  }

  async #write(
    indexId: number,
    image: VectorImage,
    { token: last, state: before, changed }: Omit<Kept, 'state'> & { state: ImageFileState | undefined },
    moment: { atRest: AtRest; signal: AbortSignal },
  ): Promise<boolean> {
    const { file: random, version } = partsOf(last)
    const name = nameOf(indexId, random)
    const file = path.join(this.#folder, name)
    const written = before ? file : file + PARTIAL
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    // An error leaves a file in its state of before.
    let isKept = before !== undefined
    this.#unfinished.add(written).add(file)
    try {
      const made = await writeImageFile(written, image, {
        ...{ index: indexId, changed, before, ...moment },
        token: (trailerAt) => tokenOf(random, trailerAt, version + 1),
      })
      if (!made) return false
      const { token, run, state } = made
      if (!before) await rename(written, file)
      isKept = await this.#database.write(noteImage, { indexId, token, run })
      if (isKept) this.#keep(image, token, state, changed)
      return isKept
    } finally {
      for (const one of [written, file]) this.#unfinished.delete(one)
      if (!before) rmSync(written, { force: true })
      this.#remove((one) => one.startsWith(`${indexId}-`) && (one === name) !== isKept)
    }
  }

  #keep(image: VectorImage, token: string, state: ImageFileState, changed: Set<number>): void {
    image.slots.watch(changed)
    this.#kept.set(image, { token, state, changed })
  }

  /** The numbers of all blocks, and from now on of those that change. */
  #watchAll(image: VectorImage): Set<number> {
    const changed = new Set(image.slots.blocks.keys())
    image.slots.watch(changed)
    this.#kept.delete(image)
    return changed
  }

  /** Deletes the file of an index. */
  remove(indexId: number): void {
    this.#remove((name) => name.startsWith(`${indexId}-`))
  }

  /** Deletes the files that no index has. */
  sweep(): void {
    const files = new Set([...imageTokens(this.#database.reader)].map((token) => partsOf(token).file))
    this.#remove(
      (name) =>
        !files.has(name.slice(name.indexOf('-') + 1, name.indexOf('.'))) &&
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

const bytesOfBlock = ({ slots }: VectorImage): number => blockBytes(slots.layout.stride)
