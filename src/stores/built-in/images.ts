import type { Filter } from '../../contract/filter.ts'
import type { Connection } from '../../db/sqlite/connection.ts'
import { pathsOf } from '../../vector/metadata-columns.ts'
import { ScanThreads } from '../../vector/scan-threads.ts'
import { MetadataImage } from './metadata-image.ts'
import { SearchImage } from './search-image.ts'

/** What of the indexes is in memory: of each what was asked for, from the first time on. */
export type Images = {
  /** The vectors of an index at the newest publication. */
  vectors(indexId: number): Promise<SearchImage>
  /** Those metadata of an index that a filter asks for, at the newest publication. */
  metadata(indexId: number, filter: Filter): Promise<MetadataImage>
  /** Leads along what there is of an index. */
  follow(indexId: number): Promise<void>
  forget(indexId: number): void
}

/** Filters may ask for any number of paths, one after another; the images of their metadata begin anew beyond this. */
const MOST_PATHS = 32

export function createImages(reader: Connection): Images {
  const threads = new ScanThreads()
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
        image = new SearchImage(reader, indexId, threads)
        vectors.set(indexId, image)
      }
      await image.follow()
      return image
    },
    async metadata(indexId, filter) {
      const image = imageFor(indexId, filter)
      await image.follow()
      return image
    },
    async follow(indexId) {
      await vectors.get(indexId)?.follow()
      await metadata.get(indexId)?.follow()
    },
    forget(indexId) {
      vectors.get(indexId)?.close()
      vectors.delete(indexId)
      metadata.delete(indexId)
    },
  }
}
