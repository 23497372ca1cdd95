import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../kit/clock.ts'
import { SluiceError } from '../../kit/errors.ts'

/** How long a link to a file is good, in ms. */
const GOOD_FOR = 60 * 60 * 1000

export type FileLinks = {
  /** A path that opens one file to whoever has it, for an hour. */
  make(fileId: string): string
  /** @throws SluiceError `link_invalid` */
  check(link: { fileId: string; expires: number; signature: string }): void
}

/** Links that need no key: their signature shows that this server made them. @param secret known to this server alone */
export function createFileLinks(secret: string, clock: Clock = Date.now): FileLinks {
  const sign = (fileId: string, expires: number) =>
    createHmac('sha256', secret).update(`chat file ${fileId} ${expires}`).digest()
  return {
    make(fileId) {
      const expires = clock() + GOOD_FOR
      const query = new URLSearchParams({
        fileId,
        expires: String(expires),
        signature: sign(fileId, expires).toString('base64url'),
      })
      return `/api/v1/get-upload-file?${query}`
    },
    check({ fileId, expires, signature }) {
      const [given, right] = [Buffer.from(signature, 'base64url'), sign(fileId, expires)]
      const valid = given.length === right.length && timingSafeEqual(given, right)
      if (!valid || expires < clock()) throw new SluiceError('link_invalid')
    },
  }
}
