/** How deep JSON may be nested, and how many values it may have. */
export type JsonLimits = { depth: number; values: number }

export const JSON_LIMITS: JsonLimits = { depth: 200, values: 200_000 }

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

/**
 * Checks the limits of JSON while it arrives, piece by piece: the parsed value takes many times the bytes. Time is
 * proportional to the bytes. Nothing else is checked.
 */
export function jsonBounds({ depth: deepest, values: most }: JsonLimits = JSON_LIMITS) {
  const state = { depth: 0, values: 1, inString: false, escaped: false }

  /** The limit that the text exceeds with this piece; undefined if it exceeds none. */
  return (piece: Uint8Array): string | undefined => {
    let { depth, values, inString } = state
    // Large bodies are mostly strings: searching for their ends is faster than a check of each byte.
    const quotes = finder(piece, QUOTE)
    const backslashes = finder(piece, BACKSLASH)
    let i = 0
    if (state.escaped && piece.length > 0) {
      i = 1
      state.escaped = false
    }
    while (i < piece.length) {
      if (inString) {
        const end = quotes(i)
        const escapeAt = backslashes(i)
        inString = end === piece.length || escapeAt < end
        i = escapeAt < end ? escapeAt + 2 : end + 1
        // The escaped byte is in the next piece.
        state.escaped = escapeAt < end && i > piece.length
        continue
      }
      const byte = piece[i++]!
      if (byte === QUOTE) inString = true
      else if (byte === COMMA) values++
      else if ((byte | 0x20) === 0x7b) {
        // { or [
        values++
        if (++depth > deepest) return `it is nested deeper than ${deepest} levels`
      } else if ((byte | 0x20) === 0x7d) depth--
      if (values > most) return `it has more than ${most} values`
    }
    state.depth = depth
    state.values = values
    state.inString = inString
    return undefined
  }
}

/** Finds the next place of a byte, from places that only grow. Gives the length of the piece if there is none. */
function finder(piece: Uint8Array, byte: number) {
  let at = -1
  return (from: number): number => {
    if (at < from) {
      at = piece.indexOf(byte, from)
      if (at === -1) at = piece.length
    }
    return at
  }
}
