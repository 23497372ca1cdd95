import type { Dropped, DroppedKind, DroppedPlace } from '../contract/file-parser.ts'

type Words = {
  one: string
  several: string
  /** A sentence that names the place, where it can be said better than as a count at a place. */
  named?: (place: DroppedPlace) => string | undefined
}

/** What each kind is called, after its number. */
const WORDS: Readonly<Record<DroppedKind, Words>> = {
  repeatedLine: { one: 'repeated line', several: 'repeated lines' },
  pageNumber: { one: 'page number', several: 'page numbers' },
  hiddenSheet: {
    one: 'hidden sheet',
    several: 'hidden sheets',
    named: ({ sheet }) => (sheet === undefined ? undefined : `sheet ${sheet} is hidden`),
  },
  hiddenElement: { one: 'hidden element', several: 'hidden elements' },
  deletedText: { one: 'deletion of a tracked change', several: 'deletions of tracked changes' },
  unreadablePage: {
    one: 'page that cannot be read',
    several: 'pages that cannot be read',
    named: (place) => (place.page === undefined ? undefined : `${pagesOf(place)} cannot be read`),
  },
  damagedPart: {
    one: 'damaged part',
    several: 'damaged parts',
    named: ({ part }) => (part === undefined ? undefined : `part ${part} is damaged`),
  },
  skippedLine: { one: 'skipped line', several: 'skipped lines' },
  skippedValue: { one: 'value that is no text', several: 'values that are no text' },
  repeatedKey: {
    one: 'value whose key occurs again in its object',
    several: 'values whose keys occur again in their object',
  },
  undecodedCharacter: {
    one: 'byte that is no character of its encoding',
    several: 'bytes that are no characters of their encoding',
  },
  cutText: { one: 'character behind a limit', several: 'characters behind a limit' },
  cutMetadata: {
    one: 'cell that its metadata lack (its text has it)',
    several: 'cells that their metadata lack (the text has them)',
  },
  picture: { one: 'picture', several: 'pictures' },
  attachment: {
    one: 'embedded file',
    several: 'embedded files',
    named: ({ part }) => (part === undefined ? undefined : `file ${part} inside it`),
  },
}

/** Something that was left out, as a person reads it: `2 repeated lines on pages 1 to 12`, `sheet Budget is hidden`. */
export function droppedText({ kind, count, place, more }: Dropped): string {
  const { one, several, named } = WORDS[kind]
  const sentence = place && named?.(place)
  if (sentence !== undefined) return sentence
  const number = `${count.toLocaleString('en')} ${more ? 'more ' : ''}${count === 1 ? one : several}`
  return [number, ...placesOf(place)].join(' ')
}

function placesOf(place: DroppedPlace = {}): string[] {
  return [
    ...(place.page === undefined ? [] : [`on ${pagesOf(place)}`]),
    ...(place.sheet === undefined ? [] : [`in sheet ${place.sheet}`]),
    ...(place.part === undefined ? [] : [`in ${place.part}`]),
  ]
}

const pagesOf = ({ page, lastPage }: DroppedPlace): string =>
  lastPage === undefined ? `page ${page}` : `pages ${page} to ${lastPage}`
