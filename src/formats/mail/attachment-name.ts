import path from 'node:path'
import { FILE_TYPES } from '../../contract/file-parser.ts'
import { FILE_TYPE_FACTS, TYPE_OF_ENDING } from '../file-types.ts'

/** Longer names are cut before their ending: they are in the metadata of each chunk. */
const MOST_CHARACTERS = 200

/**
 * The name of a file inside another: without folders and control characters, and with an ending by which its reader
 * is found where only its media type says what it is.
 *
 * @param given as the file around it has it
 * @param number from 1, for a file without a name
 */
export function attachmentName(given: string | undefined, mediaType: string, number: number): string {
  const bare = (given ?? '')
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/^.*[\\/]/, '')
    .trim()
  const ending = ENDINGS.get(mediaType)
  const known = TYPE_OF_ENDING.has(path.extname(bare).slice(1).toLowerCase())
  const added = ending && (bare === '' || (!known && TYPE_OF_ENDING.has(ending))) ? `.${ending}` : ''
  const name = (bare || `attachment-${number}`) + added
  if (name.length <= MOST_CHARACTERS) return name
  const kept = path.extname(name).slice(0, 20)
  return `${name.slice(0, MOST_CHARACTERS - kept.length - 1)}…${kept}`
}

/** Whether a file is a picture, by its media type or its name. */
export const isPicture = (name: string, mediaType: string): boolean =>
  mediaType.startsWith('image/') || /\.(?:bmp|emf|gif|heic|ico|jpe?g|png|svg|tiff?|webp|wmf)$/i.test(name)

/** The ending for the media type of each file type, and for what only mails have. */
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ...FILE_TYPES.flatMap((type) => {
    const { endings, mediaType, alsoNamed = [] } = FILE_TYPE_FACTS[type]
    return [mediaType, ...alsoNamed].map((named) => [named, endings[0]!] as const)
  }),
  ['message/delivery-status', 'txt'],
  ['text/markdown', 'md'],
  ['text/plain', 'txt'],
  ['text/rfc822-headers', 'txt'],
  ['text/tab-separated-values', 'tsv'],
])
