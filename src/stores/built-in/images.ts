import type { Filter } from '../../contract/filter.ts'
import type { Database } from '../../db/sqlite/database.ts'
import { isLive } from '../../db/sqlite/indexes.ts'
import { pathsOf } from '../../vector/metadata-columns.ts'
import { ScanThreads } from '../../vector/scan-threads.ts'
import { ImageFiles } from './image-files.ts'
import { ImageSaver, SAVING_RULES, type SavingRules } from './image-saver.ts'
import { MetadataImage } from './metadata-image.ts'
import { SearchImage } from './search-image.ts'

/** The parts of indexes in memory. Each is loaded at its first use. */
export type Images = {
  /** The vectors of an index at the newest publication. */
  vectors(indexId: number): Promise<SearchImage>
  /** The metadata fields of an index that a filter compares, at the newest publication. */
  metadata(indexId: number, filter: Filter): Promise<MetadataImage>
  /** Brings what is loaded of an index up to the newest publication. */
  follow(indexId: number): Promise<void>
  forget(indexId: number): void
  /** Deletes the files that no index has. Call it before the first search. */
  tidy(): void
  /** Ends what is written in the background. */
  close(): Promise<void>
}

export type ImagesOptions = {
  /** When files of images are written. */
  saving?: SavingRules
  /** A file could not be written. */
  noteFailure?: (error: unknown) => void
}

/** The most metadata paths of an index in memory. With more, only those of the last filter are loaded again. */
const MOST_PATHS = 32

export function createImages(
  database: Database,
  { saving = SAVING_RULES, noteFailure = () => {} }: ImagesOptions = {},
): Images {
  const { reader } = database
  const threads = new ScanThreads()
  const files = new ImageFiles(database)
  const saver = new ImageSaver(saving, noteFailure)
  const vectors = new Map<number, SearchImage>()
  const metadata = new Map<number, MetadataImage>()

  function imageFor(indexId: number, filter: Filter): MetadataImage {
    const known = metadata.get(indexId)
    if (known?.covers(filter)) return known
    const asked = pathsOf(filter)
    const paths = [...asked, ...(known?.paths ?? [])]
    const image = new MetadataImage(reader, indexId, paths.length > MOST_PATHS ? asked : paths)
    metadata.set(indexId, image)
    return image
  }

  return {
    async vectors(indexId) {
      let image = vectors.get(indexId)
      if (!image) {
        image = new SearchImage(reader, indexId, { threads, files })
        vectors.set(indexId, image)
      }
      await image.follow()
      saver.consider(indexId, image)
      return image
    },
    async metadata(indexId, filter) {
      const image = imageFor(indexId, filter)
      await image.follow()
      return image
    },
    async follow(indexId) {
      const image = vectors.get(indexId)
      await image?.follow()
      if (image) saver.consider(indexId, image)
      await metadata.get(indexId)?.follow()
    },
    forget(indexId) {
      saver.forget(indexId)
      vectors.get(indexId)?.close()
      vectors.delete(indexId)
      metadata.delete(indexId)
      if (!isLive(reader, indexId)) files.remove(indexId)
    },
    tidy: () => files.sweep(),
    close: () => saver.close(),
  }
}
