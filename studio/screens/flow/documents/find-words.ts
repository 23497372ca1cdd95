/** A part of an item of a page's text, in UTF-16 code units. */
export type WordPlace = { item: number; start: number; end: number }

/** The places of words in items, in the order of the page; `isWhole` where each letter of the words has a place. */
export type FoundWords = { places: WordPlace[]; isWhole: boolean }

/** A paragraph with fewer letters may be in several places of a page: it is not searched alone. */
const FEWEST_LETTERS = 12

/** Paragraphs are shown as found where they have this share of all letters. */
const SMALLEST_SHARE = 0.5

type Letter = { letter: string; item: number; start: number; end: number }

/**
 * Finds the words of a chunk in the text of a page. Only letters and digits are compared, in any case, with ligatures
 * taken apart: a chunk has other spaces, line breaks and hyphens than the page. Where the words are not there as a
 * whole, their paragraphs are searched one by one: a page may have them in another order than they are read in (a
 * running head, columns).
 *
 * @param items the text of a page in parts, as pdf.js gives it
 * @returns undefined where less than half of the letters were found
 */
export function findWords(items: readonly string[], words: string): FoundWords | undefined {
  const page = items.flatMap((text, item) => lettersOf(text, item))
  const text = plainText(page)
  const wanted = plainText(lettersOf(words, 0))
  if (wanted === '') return undefined
  const at = text.indexOf(wanted)
  if (at >= 0) return { places: placesOf(page.slice(at, at + wanted.length)), isWhole: true }

  const isFound = new Uint8Array(text.length)
  for (const paragraph of words.split('\n')) {
    const part = plainText(lettersOf(paragraph, 0))
    const start = part.length < FEWEST_LETTERS ? -1 : text.indexOf(part)
    if (start >= 0) isFound.fill(1, start, start + part.length)
  }
  const found = page.filter((_letter, number) => isFound[number] === 1)
  if (found.length < wanted.length * SMALLEST_SHARE) return undefined
  return { places: placesOf(found), isWhole: found.length >= wanted.length }
}

const plainText = (letters: readonly Letter[]): string => letters.map(({ letter }) => letter).join('')

/** One place for each item, from the first to the last of its letters. */
function placesOf(letters: readonly Letter[]): WordPlace[] {
  const places: WordPlace[] = []
  for (const { item, start, end } of letters) {
    const last = places.at(-1)
    if (last?.item === item) last.end = end
    else places.push({ item, start, end })
  }
  return places
}

/** The letters and digits of a text, each one UTF-16 code unit, with the place of the character that has it. */
function lettersOf(text: string, item: number): Letter[] {
  const letters: Letter[] = []
  let start = 0
  for (const character of text) {
    const end = start + character.length
    const plain = character
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, '')
    for (const letter of plain.split('')) letters.push({ letter, item, start, end })
    start = end
  }
  return letters
}
