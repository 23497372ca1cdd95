import type { BlobShelf } from '../contract/blob-shelf.ts'
import { FILES_ON_BUCKET } from '../contract/data-files.ts'
import { SluiceError } from '../kit/errors.ts'
import { openOnce } from '../kit/open-once.ts'
import { type Claim, claimBucket } from './claim.ts'
import type { BlobCheck } from './readiness.ts'

export type ClaimedBucket = {
  /** Does nothing before the bucket is known to be that of this database. */
  shelf: BlobShelf
  check: BlobCheck
  /**
   * Claims the bucket at a start. Resolves with the reason where it is away and was the bucket of this database before: then the next call
   * that needs it claims it.
   *
   * @throws SluiceError `blob_place_wrong`; `blob_failed` at the first start with a bucket, where its name or the keys may be wrong
   */
  claimAtStart(): Promise<SluiceError | undefined>
}

/** A bucket whose files are touched once it is claimed: one of another database may have taken the place of one that was away. */
export function claimedBucket(
  { shelf, check }: { shelf: BlobShelf; check: BlobCheck },
  claim: Claim,
): ClaimedBucket {
  let isFirst = false
  const claimed = openOnce(async () => {
    // It says soon that the bucket is away; a claim tries for longer, and others would wait for that one when the bucket is back.
    if (!isFirst) await check()
    await claimBucket(shelf, claim)
  })
  return {
    shelf: {
      async put(...given) {
        await claimed()
        return shelf.put(...given)
      },
      async get(...given) {
        await claimed()
        return shelf.get(...given)
      },
      async remove(names) {
        await claimed()
        await shelf.remove(names)
      },
      async *list(folder) {
        await claimed()
        yield* shelf.list(folder)
      },
      async sweep(before) {
        await claimed()
        await shelf.sweep(before)
      },
      close: () => shelf.close(),
    },

    async check() {
      await claimed()
      await check()
    },

    async claimAtStart() {
      const isKnown = (await claim.settings.get(FILES_ON_BUCKET)) !== undefined
      isFirst = !isKnown
      try {
        await claimed()
        return undefined
      } catch (error) {
        if (isKnown && error instanceof SluiceError && error.code === 'blob_failed') return error
        throw error
      }
    },
  }
}
