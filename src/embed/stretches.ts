/** Long enough for speed, short enough that one stretch takes a few milliseconds at most. */
const STRETCH_CHARACTERS = 16_384

/**
 * Cuts a text into stretches whose words are, one after another, the words of the text. A stretch ends at a space, a line
 * break or an ideographic full stop: over none of these does a word reach, a letter compose with its accent, or a capital
 * sigma look for its neighbours.
 */
export function* stretchesOf(text: string, characters = STRETCH_CHARACTERS): Generator<string> {
  const boundary = /[ \n\u3002]/g
  let from = 0
  while (text.length - from > characters) {
    boundary.lastIndex = from + characters
    if (!boundary.test(text)) break
    yield text.slice(from, boundary.lastIndex)
    from = boundary.lastIndex
  }
  yield text.slice(from)
}
