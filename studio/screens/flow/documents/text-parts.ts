/** A chunk with its place in the text of a document, in UTF-16 code units. */
export type PlacedChunk = { id: string; range: { start: number; end: number } | null }

/** Words in no chunk. */
export type PlacedGap = { start: number; end: number }

/**
 * A part of a text, with the numbers of the chunks that have it: none, one, or several that overlap; `begins`: at a chunk's first letter;
 * `gap`: the number of the words in no chunk that it is of.
 */
export type TextPart = {
  text: string
  start: number
  chunks: number[]
  begins: boolean
  gap?: number
}

/**
 * Divides a text at the ends of chunks and of words in no chunk.
 *
 * @param start the position of the text in the document
 */
export function textParts(
  text: string,
  start: number,
  chunks: readonly PlacedChunk[],
  gaps: readonly PlacedGap[] = [],
): TextPart[] {
  const end = start + text.length
  const within = (position: number) => Math.min(end, Math.max(start, position))
  const cuts = new Set([start, end])
  const own = gaps.filter((gap) => gap.start < end && gap.end > start)
  for (const range of [...chunks.map((chunk) => chunk.range), ...own]) {
    if (!range) continue
    cuts.add(within(range.start))
    cuts.add(within(range.end))
  }
  const places = [...cuts].sort((a, b) => a - b)
  return places.slice(0, -1).map((from, at) => {
    const to = places[at + 1]!
    const gap = own.find((one) => one.start <= from && one.end >= to)
    return {
      ...(gap ? { gap: gaps.indexOf(gap) } : {}),
      text: text.slice(from - start, to - start),
      start: from,
      begins: chunks.some(({ range }) => range?.start === from),
      chunks: gap
        ? []
        : chunks.flatMap(({ range }, number) =>
            range && range.start <= from && range.end >= to ? [number] : [],
          ),
    }
  })
}

/** The span of some chunks in their text; undefined where none has a place. */
export function spanOf(chunks: readonly PlacedChunk[]): { start: number; end: number } | undefined {
  const ranges = chunks.flatMap(({ range }) => range ?? [])
  if (ranges.length === 0) return undefined
  return {
    start: Math.min(...ranges.map(({ start }) => start)),
    end: Math.max(...ranges.map(({ end }) => end)),
  }
}
