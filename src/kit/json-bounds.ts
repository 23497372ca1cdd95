/** How deep JSON may be nested, and how many values it may have. */
export type JsonLimits = { depth: number; values: number }

export const JSON_LIMITS: JsonLimits = { depth: 200, values: 200_000 }

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

/**
 * Looks at JSON while it arrives, piece by piece, and says as soon as it goes over a limit: what the parser would build
 * out of it takes many times the bytes. It takes time in proportion to the bytes, and checks nothing else.
 */
export function jsonBounds({ depth: deepest, values: most }: JsonLimits = JSON_LIMITS) {
  let depth = 0
  let values = 1
  let inString = false
  let escaped = false

  /** The limit that the text goes over with this piece; undefined while it keeps them. */
  return (piece: Uint8Array): string | undefined => {
    for (let i = 0; i < piece.length; i++) {
      const byte = piece[i]!
      if (inString) {
        if (escaped) escaped = false
        else if (byte === BACKSLASH) escaped = true
        else if (byte === QUOTE) inString = false
        continue
      }
      if (byte === QUOTE) inString = true
      else if (byte === COMMA) {
        if (++values > most) return `it has more than ${most} values`
      } else if ((byte | 0x20) === 0x7b) {
        // { or [
        values++
        if (++depth > deepest) return `it is nested deeper than ${deepest} levels`
        if (values > most) return `it has more than ${most} values`
      } else if ((byte | 0x20) === 0x7d) depth--
    }
    return undefined
  }
}
