import path from 'node:path'
import type { FileType } from '../contract/file-parser.ts'
import { SluiceError } from '../kit/errors.ts'
import { passwordUseless } from './file-locked.ts'
import { type ContentKind, FILE_TYPE_FACTS, TYPE_OF_ENDING } from './file-types.ts'
import { isText } from './is-text.ts'

/** The kind of content that the first bytes show. @param head the first 64 kB of a file, or all of it */
export function sniff(head: Uint8Array): ContentKind {
  const begin = latin1(head.subarray(0, 8))
  if (begin.startsWith('%PDF-')) return 'pdf'
  if (begin.startsWith('PK\x03\x04') || begin.startsWith('PK\x05\x06')) return 'zip'
  if (begin === '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1') return 'cfb'
  if (!SIGNATURES.some(([signature]) => hasBinary(signature) && begin.startsWith(signature)) && isText(head))
    return 'text'
  return hasPdfHeader(head) ? 'pdf' : 'binary'
}

/**
 * The type of a file. The ending of its name decides, and its content must agree: a picture called `.pdf` is refused.
 * With an unknown ending, any text is `text`.
 *
 * @returns undefined for a type without a reader here; the caller knows which types its flow accepts
 * @throws SluiceError `file_unreadable` if name and content disagree, `file_encrypted` for an Office file with a
 *    password
 */
export function fileTypeOf(name: string, head: Uint8Array): FileType | undefined {
  const extension = path.extname(name).slice(1).toLowerCase()
  if (UNSUPPORTED.has(extension)) return undefined
  const type = TYPE_OF_ENDING.get(extension)
  const content = sniff(head)
  if (type === undefined) return content === 'text' ? 'text' : undefined
  const wanted = FILE_TYPE_FACTS[type]
  if (content === wanted.content || (type === 'pdf' && hasPdfHeader(head))) return type
  if (content === 'cfb' && wanted.content === 'zip') throw passwordUseless(name)
  const found = head.length === 0 ? 'it is empty' : `its content is ${describe(head, content)}`
  throw new SluiceError('file_unreadable', { file: name, reason: `${found}, not ${wanted.described}` })
}

/** Endings of formats without a reader here; some of them look like text. */
const UNSUPPORTED: ReadonlySet<string> = new Set(['doc', 'ppt', 'xls', 'xlsb', 'rtf', 'ps', 'eps'])

/** Formats that a message names if a file has the wrong ending. */
const SIGNATURES: readonly (readonly [signature: string, name: string])[] = [
  ['\x89PNG', 'a PNG picture'],
  ['\xff\xd8\xff', 'a JPEG picture'],
  ['GIF8', 'a GIF picture'],
  ['RIFF', 'sound, video or a WebP picture'],
  ['II*\0', 'a TIFF picture'],
  ['MM\0*', 'a TIFF picture'],
  ['\x1f\x8b', 'gzip data'],
  ['Rar!', 'a RAR archive'],
  ['7z\xbc\xaf', 'a 7-Zip archive'],
  ['SQLite format 3', 'a SQLite database'],
  ['\x7fELF', 'a program'],
  ['MZ', 'a program'],
]

const DESCRIPTIONS: Readonly<Record<ContentKind, string>> = {
  pdf: 'a PDF',
  zip: 'a ZIP archive or an Office file',
  cfb: 'an old or encrypted Office file',
  text: 'text',
  binary: 'binary data',
}

function describe(head: Uint8Array, content: ContentKind): string {
  const begin = latin1(head.subarray(0, 16))
  const known = content === 'binary' && SIGNATURES.find(([signature]) => begin.startsWith(signature))
  return known ? known[1] : DESCRIPTIONS[content]
}

/** Whether the signature contains bytes that no text begins with. */
const hasBinary = (signature: string): boolean => /[^\t\n\r -~]/.test(signature)

/** ISO 32000 requires the header at the start, but PDF readers have always accepted it within the first kilobyte. */
const hasPdfHeader = (head: Uint8Array): boolean => latin1(head.subarray(0, 1024)).includes('%PDF-')

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
