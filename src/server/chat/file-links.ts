import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../kit/clock.ts'
import { SluiceError } from '../../kit/errors.ts'

/** How long a link is valid, in milliseconds. */
const VALID_MS = 60 * 60 * 1000

export type FileLinks = {
  /** A path to one file that works without a key for an hour. */
  make(fileId: string): string
  /** @throws SluiceError `link_invalid` */
  check(link: { fileId: string; expires: number; signature: string }): void
}

/** Links that need no key, signed by this server. @param secret the secret of this server */
export function createFileLinks(secret: string, clock: Clock = Date.now): FileLinks {
  const sign = (fileId: string, expires: number) =>
    createHmac('sha256', secret).update(`chat file ${fileId} ${expires}`).digest()
  return {
    make(fileId) {
      const expires = clock() + VALID_MS
      const query = new URLSearchParams({
        fileId,
        expires: String(expires),
        signature: sign(fileId, expires).toString('base64url'),
      })
      return `/api/v1/get-upload-file?${query}`
    },
    check({ fileId, expires, signature }) {
      const [presented, expected] = [Buffer.from(signature, 'base64url'), sign(fileId, expires)]
      const valid = presented.length === expected.length && timingSafeEqual(presented, expected)
      if (!valid || expires < clock()) throw new SluiceError('link_invalid')
    },
  }
}
