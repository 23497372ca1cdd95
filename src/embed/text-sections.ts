/** Long enough for speed, short enough that one stretch takes a few milliseconds at most. */
const STRETCH_CHARACTERS = 16_384

/** How far beyond that an end is looked for. */
const FURTHEST = 65_536

const BOUNDARY = /[ \n\u3002]/

/**
 * Cuts a text into stretches whose words are, one after another, the words of the text. A stretch ends at a space, a line
 * break or an ideographic full stop: over none of these does a word reach, a letter compose with its accent, or a capital
 * sigma look for its neighbours. Only a text without any of these for tens of thousands of characters is cut anywhere
 * between two characters.
 */
export function* textSections(text: string, characters = STRETCH_CHARACTERS): Generator<string> {
  let from = 0
  while (text.length - from > characters) {
    const least = from + characters
    const found = text.slice(least, least + FURTHEST).search(BOUNDARY)
    if (found < 0 && text.length - least <= FURTHEST) break
    const to = found < 0 ? least + Number(isLowHalf(text.charCodeAt(least))) : least + found + 1
    yield text.slice(from, to)
    from = to
  }
  yield text.slice(from)
}

const isLowHalf = (unit: number): boolean => unit >>> 10 === 0x37
