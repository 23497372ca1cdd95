import { rmSync } from 'node:fs'
import type { Backend } from '../backend/backend.ts'
import { claimDirectory } from '../blobs/claim.ts'
import { claimedBucket } from '../blobs/claimed-bucket.ts'
import { blobDirectory } from '../blobs/directory.ts'
import { moveAllFiles, moveWhenBack } from '../blobs/left-files.ts'
import { blobStore, uploadCheck } from '../blobs/readiness.ts'
import type { BlobShelf } from '../contract/blob-shelf.ts'
import type { Dependency } from '../contract/dependency.ts'
import type { UploadShelf } from '../contract/upload-shelf.ts'
import { blobUploadShelf } from '../jobs/shelves/blob-upload-shelf.ts'
import { directoryShelf } from '../jobs/shelves/upload-shelf.ts'
import type { Config } from '../kit/config.ts'
import type { Log } from '../kit/log.ts'
import type { SecretMask } from '../kit/secret-mask.ts'
import type { Closing } from './closing.ts'
import type { OpenDirectory } from './data-directory.ts'

/** Where the files of documents and jobs are. */
export type Files = {
  blobs: BlobShelf
  uploads: UploadShelf
  /** Then they may be of another server, and its clock is another one. */
  inBucket: boolean
  dependencies: readonly Dependency[]
  /** Checks that they belong to this database, and makes them its files. @throws SluiceError `blob_place_wrong`, `blob_failed` */
  claim(): Promise<void>
}

/** The bucket of BLOB_URL; undefined without it, and then its library is not loaded. Nothing connects. */
export async function openBucketOf(config: Config, mask: SecretMask) {
  if (config.BLOB_URL === undefined) return undefined
  const opened = (await import('../blobs/open-bucket.ts')).openBucket(config.BLOB_URL, config)
  for (const secret of [opened.keys.secretAccessKey, opened.keys.sessionToken]) if (secret) mask.add(secret)
  return opened
}

type OpenBucket = NonNullable<Awaited<ReturnType<typeof openBucketOf>>>

type FilesOptions = { directory: OpenDirectory; backend: Backend; log: Log; closing: Closing }

export function openFiles(bucket: OpenBucket | undefined, options: FilesOptions): Files {
  const files = bucket ? filesInBucket(bucket, options) : filesInDirectory(options)
  options.closing.add('files', () => files.blobs.close())
  return files
}

const claimOf = ({ settings, originals, jobs }: Backend) => ({
  settings,
  inUse: async () => (await originals.bytes()) > 0 || (await jobs.folders()).length > 0,
})

function filesInDirectory({ directory, backend }: FilesOptions): Files {
  const blobs = blobDirectory(directory.home)
  return {
    blobs,
    uploads: directoryShelf(directory.uploads),
    inBucket: false,
    dependencies: [],
    claim: () => claimDirectory(blobs, claimOf(backend)),
  }
}

function filesInBucket(opened: OpenBucket, { directory, backend, log, closing }: FilesOptions): Files {
  const { home, uploads } = directory
  const { shelf, check, claimAtStart } = claimedBucket(opened, { ...claimOf(backend), place: opened.place })
  return {
    blobs: shelf,
    uploads: blobUploadShelf(shelf, uploads, { check: uploadCheck(check), checkNow: check }),
    inBucket: true,
    dependencies: [blobStore(check)],
    async claim() {
      const left = { from: blobDirectory(home), home, to: shelf }
      const tellMoved = (moved: { files: number; bytes: number }) => {
        if (moved.files > 0) log.info('files-moved', { place: opened.place, ...moved })
      }
      const away = await claimAtStart()
      if (away) {
        log.warn('degraded', { away: 'blob store', reason: away.message })
        const moving = moveWhenBack(left, check, await backend.jobs.folders(), tellMoved)
        closing.add('files that move', async () => moving.end())
        return
      }
      tellMoved(await moveAllFiles(left))
      rmSync(uploads, { recursive: true, force: true })
    },
  }
}
