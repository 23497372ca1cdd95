import type { z } from 'zod'
import type { Warning } from '../flow/overrides.ts'
import { suggest } from '../kit/suggest.ts'

/**
 * A warning for each field of a request that no shape has: the request is answered, and the person who misspelt a name
 * reads why it did nothing.
 *
 * @param heeded names that are taken and mean nothing here, which clients of Flowise send
 */
export function unknownFields(
  request: object,
  shape: z.ZodObject,
  heeded: readonly string[] = [],
): Warning[] {
  const known = Object.keys(shape.shape)
  return Object.keys(request)
    .filter((key) => !known.includes(key) && !heeded.includes(key))
    .slice(0, MOST)
    .map((key) => {
      const meant = suggest(key, known)
      return {
        key: key.slice(0, 100),
        reason: `there is no such field${meant ? `; did you mean ${meant}?` : ''}`,
      }
    })
}

/** How many unknown fields are named: a body may have thousands. */
const MOST = 20
