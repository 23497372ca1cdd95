import type { Filter } from '../../contract/filter.ts'
import type { EngineMemory } from '../../contract/vector-engine.ts'
import type { Database } from '../../db/sqlite/database.ts'
import { isLive } from '../../db/sqlite/chunks.ts'
import { dropSegments } from '../../db/sqlite/text-cache.ts'
import { dropValues, keepValues } from '../../db/sqlite/value-blocks.ts'
import { countVectorNumbers, hasRemovalsAfter } from '../../db/sqlite/vector-images.ts'
import { collectGarbage } from '../../kit/collect-garbage.ts'
import { pathsOf } from '../../vector/metadata-columns.ts'
import { ScanThreads } from '../../vector/scan-threads.ts'
import { HiddenPassages, SearchImage } from './passage-copies.ts'
import { ImageFiles } from './image-files.ts'
import { ImageSaver, SAVING_RULES, type SavingRules } from './image-saver.ts'
import { MetadataImage } from './metadata-image.ts'
import { KeptCopies } from './kept-copies.ts'
import { type Lent, ResidentImages } from './resident-images.ts'

/** The parts of indexes in memory. Each is loaded at its first use; the vectors of a large index when it has been loaded. */
export type Images = {
  /** The vectors of an index at the newest publication. They stay in memory until they are disposed of. */
  vectors(indexId: number): Promise<Lent<SearchImage>>
  /** The metadata fields of an index that a filter compares, at the newest publication. */
  metadata(indexId: number, filter: Filter): Promise<MetadataImage>
  /** The passages that readers do not see, at the newest publication. */
  hidden(indexId: number): Promise<HiddenPassages>
  /**
   * Brings what is loaded of an index up to the newest publication. Resolves when the rows of removed chunks are not needed
   * any more; vectors that were only added may be taken in the background.
   */
  follow(indexId: number): Promise<void>
  /** Loads the vectors of an index, or brings them up to the newest publication. Not where they would take too much memory. */
  prepare(indexId: number): Promise<void>
  drop(indexId: number): void
  /** The vectors in memory. */
  memory(): EngineMemory
  /** Deletes the files that no index has. Call it before the first search. */
  sweep(): void
  /** Ends what is written in the background. */
  close(): Promise<void>
}

export type ImagesOptions = {
  /** When files of images are written. */
  saving?: SavingRules
  /** From so many numbers in all vectors on an index gets its image after an upsert, before the first query. */
  preparedFrom?: number
  /** What the images of several databases share; those of one database have their own. */
  shared?: SharedMemory
  /** The most bytes of all vectors in memory; without it, they stay. */
  memoryBytes?: number | undefined
  /** A file could not be written. */
  noteFailure?: (error: unknown) => void
}

/** The threads that scan, and the images that have one limit together. */
export type SharedMemory = { threads: ScanThreads; among: Set<ResidentImages<SearchImage>> }

/** What the images of several databases of this process share. */
export const sharedMemory = (): SharedMemory => ({ threads: new ScanThreads(), among: new Set() })

/** Some 100,000 vectors of 256 numbers: their image takes half a second to make. A number takes about one byte. */
const PREPARED_FROM = 25e6
/** No image is made before the first query where it would take more than this share of the memory that is free. */
const FREE_SHARE = 0.5

/** The memory of images that have gone is given back when it is so many bytes, or so large a share of the limit. */
const LEAST_RELEASED = 16 * 2 ** 20
const RELEASED_SHARE = 1 / 8

/** The metadata and the hidden passages of indexes may each take so large a share of the limit besides. */
const COPIES_SHARE = 1 / 8

/** Where so many chunks were read one by one for a filter, their values are kept for the next time. */
const KEPT_FROM = 8192

/** The most metadata paths of an index in memory. With more, only those of the last filter are loaded again. */
const MOST_PATHS = 32

export function createImages(
  database: Database,
  {
    saving = SAVING_RULES,
    preparedFrom = PREPARED_FROM,
    memoryBytes = Infinity,
    noteFailure = () => {},
    shared: { threads, among } = sharedMemory(),
  }: ImagesOptions = {},
): Images {
  const { reader } = database
  const files = new ImageFiles(database)
  const saver = new ImageSaver(saving, noteFailure)
  const metadata = new KeptCopies<MetadataImage>(memoryBytes * COPIES_SHARE)
  /** The indexes whose values are being kept. */
  const keeping = new Set<number>()
  const hidden = new KeptCopies<HiddenPassages>(memoryBytes * COPIES_SHARE)
  /** Bytes of images that have gone since their memory was last given back. */
  let released = 0
  const vectors = new ResidentImages<SearchImage>({
    limit: memoryBytes === Infinity ? undefined : memoryBytes,
    among,
    keep: (indexId) => saver.hurry(indexId),
    gone(indexId, bytes) {
      saver.drop(indexId)
      metadata.remove(indexId)
      hidden.remove(indexId)
      released += bytes
      if (released < Math.max(LEAST_RELEASED, memoryBytes * RELEASED_SHARE)) return
      released = 0
      // After the search that has taken their place.
      setImmediate(collectGarbage)
    },
  })

  function imageFor(indexId: number, filter: Filter): MetadataImage {
    const known = metadata.find(indexId)
    if (known?.covers(filter)) return known
    const asked = pathsOf(filter)
    const paths = [...asked, ...(known?.paths ?? [])]
    const image = new MetadataImage(reader, indexId, paths.length > MOST_PATHS ? asked : paths)
    metadata.use(indexId, image)
    return image
  }

  /** Keeps the values of an index that was filled before such values were kept, or is a new copy. */
  async function keepAll(indexId: number, { isDamaged }: MetadataImage): Promise<void> {
    if (keeping.has(indexId)) return
    keeping.add(indexId)
    try {
      if (isDamaged) await database.write(dropValues, indexId)
      while (!database.shortage() && (await database.write(keepValues, { indexId })));
    } catch {
      // The next filter of a later start tries it again.
    } finally {
      keeping.delete(indexId)
    }
  }

  const lend = (indexId: number): Lent<SearchImage> =>
    vectors.lend(
      indexId,
      () => new SearchImage(reader, indexId, { threads, files }),
      () => countVectorNumbers(reader, indexId),
    )

  async function followVectors(indexId: number, image: SearchImage): Promise<void> {
    await image.follow()
    saver.consider(indexId, image)
  }

  /** Whether there is memory for an image of so many numbers that no query needs yet. */
  const hasRoom = (numbers: number) => numbers < Math.min(memoryBytes, process.availableMemory() * FREE_SHARE)

  /** Whether the image is worth making before a query needs it. */
  function isPrepared(indexId: number): boolean {
    const numbers = countVectorNumbers(reader, indexId)
    return numbers >= preparedFrom && hasRoom(numbers)
  }

  return {
    async vectors(indexId) {
      const lent = lend(indexId)
      try {
        await followVectors(indexId, lent.image)
        return lent
      } catch (error) {
        lent[Symbol.dispose]()
        throw error
      }
    },
    async metadata(indexId, filter) {
      const image = imageFor(indexId, filter)
      const isNew = image.run === undefined
      await image.follow()
      if (metadata.find(indexId) === image) metadata.use(indexId, image)
      if (isNew && (image.isDamaged || image.readByChunk >= KEPT_FROM)) void keepAll(indexId, image)
      return image
    },
    async hidden(indexId) {
      const passages = hidden.find(indexId) ?? new HiddenPassages(reader, indexId)
      hidden.use(indexId, passages)
      await passages.follow()
      if (hidden.find(indexId) === passages) hidden.use(indexId, passages)
      return passages
    },
    async follow(indexId) {
      if (vectors.find(indexId) || isPrepared(indexId)) {
        const lent = lend(indexId)
        const mustWait = hasRemovalsAfter(reader, indexId, lent.image.run ?? 0)
        const following = followVectors(indexId, lent.image).finally(() => lent[Symbol.dispose]())
        if (mustWait) await following
        // The next query repeats what failed, and reports it.
        else following.catch(() => {})
      }
      await metadata.find(indexId)?.follow()
      await hidden.find(indexId)?.follow()
    },
    async prepare(indexId) {
      if (!vectors.find(indexId) && !hasRoom(countVectorNumbers(reader, indexId))) return
      const lent = lend(indexId)
      await followVectors(indexId, lent.image).finally(() => lent[Symbol.dispose]())
    },
    drop(indexId) {
      saver.drop(indexId)
      vectors.remove(indexId)
      metadata.remove(indexId)
      hidden.remove(indexId)
      dropSegments(reader, indexId)
      if (!isLive(reader, indexId)) files.remove(indexId)
    },
    memory: () => vectors.memory,
    sweep: () => files.sweep(),
    async close() {
      await saver.close()
      // Others may still use the memory that they share.
      if (among.size > 1) vectors.close()
    },
  }
}
