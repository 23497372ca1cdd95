/** How alike two texts are, 0 to 1: F1 over their words as a bag, and over runs of three words, which see the order. */
export type TextScore = { words: number; triples: number }

/** Scores a text against the one that was wanted. */
export function scoreText(got: string, wanted: string): TextScore {
  const [found, expected] = [wordsOf(got), wordsOf(wanted)]
  return { words: f1(found, expected), triples: f1(triplesOf(found), triplesOf(expected)) }
}

/**
 * Words in small letters without what tools write in different ways: list markers, note marks, comments and
 * entities of the markup, the hyphen of a word that goes on in the next line, and accents beside their letters.
 */
export function wordsOf(text: string): string[] {
  const bare = text
    .replace(/(\p{L})([´¨])|([´¨])(\p{L})/gu, withAccent)
    .replace(/<!--.*?-->/gs, '')
    .replace(/&(?:amp|lt|gt|quot|nbsp);/g, ' ')
    .replace(/\[\^\w+\]/g, '')
    .replace(/^\s*(?:[-*•]|\d+[.)])\s/gm, '')
    .replace(/(\p{L})-\r?\n(?=\p{Ll})/gu, '$1')
  return bare.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** A letter with the accent after it, or before it, as the character of Latin-1 that they are together. */
function withAccent(found: string, after?: string, mark?: string, accent?: string, before?: string): string {
  const letter = after ?? before
  const whole = `${letter}${(mark ?? accent) === '´' ? '\u0301' : '\u0308'}`.normalize('NFC')
  return whole.length === 1 && whole < '\u0100' ? whole : found
}

const triplesOf = (words: readonly string[]): string[] =>
  words.slice(2).map((last, index) => `${words[index]} ${words[index + 1]} ${last}`)

/** Of two bags that may be empty; two empty ones are alike. */
function f1(got: readonly string[], wanted: readonly string[]): number {
  const left = new Map<string, number>()
  for (const item of wanted) left.set(item, (left.get(item) ?? 0) + 1)
  let common = 0
  for (const item of got) {
    const count = left.get(item) ?? 0
    if (count > 0) common++
    left.set(item, count - 1)
  }
  const all = got.length + wanted.length
  return all === 0 ? 1 : (2 * common) / all
}

/**
 * How much of a text is read in the expected order, 0 to 1: the longest common subsequence of words, divided by
 * the expected words. Bit-parallel (Hyyrö 2004): as many steps as words times words, divided by 32, for
 * any texts.
 */
export function orderScore(got: string, wanted: string): number {
  const expected = wordsOf(wanted)
  if (expected.length === 0) return 1
  const blocks = Math.ceil(expected.length / 32)
  const places = new Map<string, Uint32Array>()
  for (const [index, word] of expected.entries()) {
    const bits = places.get(word) ?? new Uint32Array(blocks)
    places.set(word, bits)
    bits[index >>> 5]! |= 1 << (index & 31)
  }
  // A zero bit: the common subsequence of what was read so far grows by one at this expected word.
  const open = new Uint32Array(blocks).fill(0xffffffff)
  for (const word of wordsOf(got)) {
    const bits = places.get(word)
    if (!bits) continue
    let carry = 0
    for (let block = 0; block < blocks; block++) {
      const before = open[block]!
      const sum = before + ((before & bits[block]!) >>> 0) + carry
      carry = sum > 0xffffffff ? 1 : 0
      open[block] = (sum >>> 0) | (before & ~bits[block]!)
    }
  }
  const common = expected.filter((_, index) => ((open[index >>> 5]! >>> (index & 31)) & 1) === 0)
  return common.length / expected.length
}
