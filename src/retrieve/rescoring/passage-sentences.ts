/** A piece before this many UTF-16 code units takes the next one too. */
const SHORT_SENTENCE = 30
/** A piece with fewer belongs to the one before it. */
const SHORT_PIECE = 12

/**
 * White space after the end of a sentence; the end of a sentence in scripts without spaces after it; a line break; a space in
 * Thai, Lao, Burmese and Khmer, where it separates clauses.
 */
const BOUNDARY =
  /(?<=[.!?…]["'”’)\]]?)\s+|(?<=[。！？।؟])|\n+|(?<=[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])\s+/u

/** The sentences of a passage for rescoring, short ones joined; the whole text where it has no other. Faster than `sentencesOf`, and less exact. */
export function passageSentences(text: string): string[] {
  const sentences: string[] = []
  for (const piece of text.split(BOUNDARY)) {
    if (piece.trim() === '') continue
    const last = sentences.length - 1
    if (last >= 0 && (sentences[last]!.length < SHORT_SENTENCE || piece.length < SHORT_PIECE))
      sentences[last] += ` ${piece}`
    else sentences.push(piece)
  }
  return sentences.length > 0 ? sentences : [text]
}
