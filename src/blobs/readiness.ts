import type { BlobShelf } from '../contract/blob-shelf.ts'
import type { Dependency } from '../contract/dependency.ts'
import { SluiceError } from '../kit/errors.ts'

/** A name that no file has. */
const NO_FILE = 'readiness'

/** The storage of files as what a server needs: it is away where it cannot say that a file is not there. */
export const blobStore = (shelf: Pick<BlobShelf, 'get'>): Dependency => ({
  name: 'blob store',
  async check() {
    try {
      const found = await shelf.get(NO_FILE)
      found?.content.destroy()
      return undefined
    } catch (error) {
      return error instanceof SluiceError ? error : new SluiceError('not_ready')
    }
  },
})
