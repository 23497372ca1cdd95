import path from 'node:path'
import type { FileType } from '../contract/file-parser.ts'
import { SluiceError } from '../kit/errors.ts'
import { passwordUseless } from './file-locked.ts'
import { type ContentKind, FILE_TYPE_FACTS, TYPE_OF_ENDING } from './file-types.ts'
import { isText } from './is-text.ts'
import { mailTypeOf } from './mail/mail-head.ts'

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
 * Content that names its own type decides, as in OpenDocument files and EPUB books; and programs give the endings of old
 * Office files to what Office opens as well. With an unknown ending, rich text, and text that begins as a mail or a mailbox, is
 * what it is, and any other text is `text`.
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
  const named = content === 'zip' ? typeOfZip(head) : undefined
  if (type === undefined) {
    if (content === 'text') return isRichText(head) ? 'rtf' : (mailTypeOf(head) ?? 'text')
    return named
  }
  const wanted = FILE_TYPE_FACTS[type]
  if (wanted.content === 'zip' && named) return named
  if (content === wanted.content || (type === 'pdf' && hasPdfHeader(head))) return type
  const actual = actualType(type, content, head)
  if (actual) return actual
  if (content === 'cfb' && wanted.content === 'zip') throw passwordUseless(name)
  const found = head.length === 0 ? 'it is empty' : `its content is ${describe(head, content)}`
  throw new SluiceError('file_unreadable', { file: name, reason: `${found}, not ${wanted.described}` })
}

/** The type that the first file of an archive names (OpenDocument 1.3 part 2, 3.3; EPUB 3.3, 4.3.3). */
function typeOfZip(head: Uint8Array): FileType | undefined {
  const begin = latin1(head.subarray(0, 150))
  if (begin.slice(30, 38) !== 'mimetype') return undefined
  return NAMED_TYPES.find(([mimeType]) => begin.startsWith(mimeType, 38))?.[1]
}

const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.'
const NAMED_TYPES: readonly (readonly [mimeType: string, type: FileType])[] = [
  ['application/epub+zip', 'epub'],
  [`${OPEN_DOCUMENT}graphics`, 'odp'],
  [`${OPEN_DOCUMENT}presentation`, 'odp'],
  [`${OPEN_DOCUMENT}spreadsheet`, 'ods'],
  [`${OPEN_DOCUMENT}text`, 'odt'],
]

const isRichText = (head: Uint8Array): boolean => /^\s*\{\\rtf/.test(latin1(head.subarray(0, 100)))

/** What a file with the ending of an Office file really is, where Office opens it as well. */
function actualType(type: FileType, content: ContentKind, head: Uint8Array): FileType | undefined {
  const isDocument = type === 'doc' || type === 'docx'
  if (!isDocument && type !== 'xls' && type !== 'xlsx') return undefined
  if (content === 'zip') return isDocument ? 'docx' : 'xlsx'
  if (content === 'cfb') {
    const stream = Buffer.from(isDocument ? 'WordDocument' : 'Workbook', 'utf16le')
    const holds = latin1(head).includes(stream.toString('latin1'))
    return holds ? (isDocument ? 'doc' : 'xls') : undefined
  }
  if (content !== 'text' || head.length === 0) return undefined
  if (isRichText(head)) return isDocument ? 'rtf' : undefined
  if (/^[^<]{0,10}<(?:!doctype html|html|head|body|table|meta|style)\b/i.test(latin1(head.subarray(0, 200))))
    return 'html'
  return type === 'xls' ? 'csv' : undefined
}

/** Endings of formats without a reader here; some of them look like text. */
const UNSUPPORTED: ReadonlySet<string> = new Set(['ppt', 'xlsb', 'ps', 'eps'])

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
  // The first record of a workbook before the compound file ([MS-XLS] 2.4.21 names its successor).
  ['\x09\0\x04\0', 'a workbook of Excel 2, which must be saved as .xlsx first'],
  ['\x09\x02\x06\0', 'a workbook of Excel 3, which must be saved as .xlsx first'],
  ['\x09\x04\x06\0', 'a workbook of Excel 4, which must be saved as .xlsx first'],
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
