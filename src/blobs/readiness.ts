import type { Dependency } from '../contract/dependency.ts'
import { SluiceError } from '../kit/errors.ts'

/** How long a bucket that has answered counts as there, in milliseconds. */
const GOOD_MS = 2000

/** Fails with the reason where files cannot be stored or read now. @throws SluiceError `blob_failed` */
export type BlobCheck = () => Promise<void>

/** A bucket as what a server needs: without it there are no uploads, and queries are answered. */
export const blobStore = (check: BlobCheck): Dependency => ({
  name: 'blob store',
  isSoft: true,
  check: () =>
    check().then(
      () => undefined,
      (error: unknown) => (error instanceof SluiceError ? error : new SluiceError('not_ready')),
    ),
})

/** The same check for each upload: many at a time ask once, and a good answer counts for two seconds. */
export function uploadCheck(check: BlobCheck, now = () => performance.now()): BlobCheck {
  let goodUntil = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  async function look(): Promise<void> {
    await check()
    goodUntil = now() + GOOD_MS
  }
  return async () => {
    if (now() < goodUntil) return
    running ??= look().finally(() => {
      running = undefined
    })
    await running
  }
}
