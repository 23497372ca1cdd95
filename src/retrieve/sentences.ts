/** A range of a text, in UTF-16 code units: `from` is in it, `to` is not. */
export type Span = { from: number; to: number }

/** Longer sentences are cut, in UTF-16 code units; shorter in scripts without marks between sentences. */
const LONGEST = 300
const LONGEST_UNMARKED = 120
/** Thai, Lao, Burmese, Khmer: neither spaces between words nor marks between sentences. */
const UNMARKED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/

/** A line may be wrapped if it has at least this many code units, and this share of the longest line. */
const WRAPPED_LINE = 40
const WRAPPED_SHARE = 0.6
const ENDS_ITSELF = /[.!?:;|。！？：；।]\s*$/u
const BEGINS_ANEW = /^\s*(?:[-*+•#|>]|\d+[.)]\s|\p{Lu}[\p{L} ]{0,30}:)/u

/** Common abbreviations, in English and a few neighbours, that a sentence seldom ends with. */
const ABBREVIATED =
  /(?<![\p{L}\p{N}])(?:\p{Lu}|Mr|Mrs|Ms|Dr|Prof|St|No|Nr|Fig|Art|Abs|ca|vs|approx|bzw|Sr|Sra|Mme|e\.g|i\.e|z\.\s?B)\.$/u

type Granularity = 'sentence' | 'word'
const made = new Map<Granularity, Intl.Segmenter>()

/** Made when it is first used: the first one takes 20 ms, which the start of a server would wait for. */
function segmenter(granularity: Granularity): Intl.Segmenter {
  const known = made.get(granularity) ?? new Intl.Segmenter('en', { granularity })
  made.set(granularity, known)
  return known
}

/**
 * The sentences of a text, in order, without the white space around them. Headings, list items and rows of tables are
 * sentences; lines that are wrapped at a margin belong together.
 */
export function sentencesOf(text: string): Span[] {
  return paragraphsOf(text).flatMap(({ from, to }) => {
    const paragraph = text.slice(from, to).replace(/[\r\n]/g, ' ')
    return withAbbreviations([...segmenter('sentence').segment(paragraph)])
      .flatMap(({ index, segment }) => shortened(segment, from + index))
      .map((span) => trimmed(text, span))
      .filter((span) => span.to > span.from)
  })
}

/** Sentences, where a full stop after an abbreviation or an initial ends none. */
function withAbbreviations(
  given: readonly { index: number; segment: string }[],
): { index: number; segment: string }[] {
  const found: { index: number; segments: string[] }[] = []
  for (const { index, segment } of given) {
    const last = found.at(-1)
    if (last && ABBREVIATED.test(last.segments.at(-1)!.trimEnd())) last.segments.push(segment)
    else found.push({ index, segments: [segment] })
  }
  return found.map(({ index, segments }) => ({ index, segment: segments.join('') }))
}

/** Lines that belong together. */
function paragraphsOf(text: string): Span[] {
  const lines = [...text.matchAll(/[^\r\n]+/g)].map(({ 0: line, index }) => ({ line, index }))
  const longest = lines.reduce((most, { line }) => Math.max(most, line.length), 0)
  const wrapped = Math.max(WRAPPED_LINE, longest * WRAPPED_SHARE)
  const found: Span[] = []
  let before: { line: string; index: number } | undefined
  for (const { line, index } of lines) {
    const to = index + line.length
    const last = found.at(-1)
    const follows =
      before !== undefined &&
      before.line.length >= wrapped &&
      !/\n\s*\n/.test(text.slice(before.index + before.line.length, index)) &&
      !ENDS_ITSELF.test(before.line) &&
      !BEGINS_ANEW.test(line)
    if (last && follows) last.to = to
    else found.push({ from: index, to })
    before = { line, index }
  }
  return found
}

/** A sentence in pieces that are not too long, cut after spaces and commas where there are any. */
function shortened(sentence: string, at: number): Span[] {
  const longest = UNMARKED.test(sentence) ? LONGEST_UNMARKED : LONGEST
  if (sentence.length <= longest) return [{ from: at, to: at + sentence.length }]
  const pieces: Span[] = []
  let from = 0
  let cut = 0
  for (const { index, segment } of segmenter('word').segment(sentence)) {
    const to = index + segment.length
    if (to - from > longest) {
      const end = cut > from ? cut : index > from ? index : to
      pieces.push({ from: at + from, to: at + end })
      from = end
      cut = end
    }
    if (/[\s,;、，；]/u.test(segment) && to - from > longest / 3) cut = to
  }
  if (from < sentence.length) pieces.push({ from: at + from, to: at + sentence.length })
  return pieces
}

function trimmed(text: string, { from, to }: Span): Span {
  const piece = text.slice(from, to)
  const start = from + piece.length - piece.trimStart().length
  return { from: start, to: Math.max(start, from + piece.trimEnd().length) }
}

/** The words of a text, as its language has them, with spaces or without. */
export const wordsOf = (text: string): Span[] =>
  [...segmenter('word').segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ index, segment }) => ({ from: index, to: index + segment.length }))
