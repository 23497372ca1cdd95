import { FILE_TYPES, type FileType } from '../contract/file-parser.ts'

/** The kind of content that the first bytes show. `cfb` is the container of old and of encrypted Office files. */
export type ContentKind = 'pdf' | 'zip' | 'cfb' | 'text' | 'binary'

export type FileTypeFacts = {
  /**
   * Raise it by one with every change of what the reader gives for the same bytes: files that were read before are
   * then read again when they are sent again. `npm run unit` fails if it was forgotten.
   */
  revision: number
  /** File name endings without the dot, shown in messages and forms. */
  endings: readonly string[]
  /** Other endings that are read in the same way. */
  alsoRead?: readonly string[]
  content: ContentKind
  /** The media type of answers with such a file. JSON is text: clients of this server parse answers of the JSON type. */
  mediaType: string
  /** Other media types by which a mail names such a file. */
  alsoNamed?: readonly string[]
  /** The type as messages name it, with its article. */
  described: string
}

const OFFICE = 'application/vnd.openxmlformats-officedocument'
const OPEN = 'application/vnd.oasis.opendocument'

/** The facts about each file type, besides its reader. */
export const FILE_TYPE_FACTS: Readonly<Record<FileType, FileTypeFacts>> = {
  csv: {
    revision: 2,
    endings: ['csv'],
    alsoRead: ['tsv'],
    content: 'text',
    mediaType: 'text/csv',
    described: 'a table as text',
  },
  doc: {
    revision: 1,
    endings: ['doc'],
    alsoRead: ['dot'],
    content: 'cfb',
    mediaType: 'application/msword',
    described: 'a Word 97-2003 document',
  },
  docx: {
    revision: 2,
    endings: ['docx'],
    alsoRead: ['docm'],
    content: 'zip',
    mediaType: `${OFFICE}.wordprocessingml.document`,
    described: 'a Word document',
  },
  eml: {
    revision: 3,
    endings: ['eml'],
    content: 'text',
    mediaType: 'message/rfc822',
    alsoNamed: ['message/global'],
    described: 'a mail',
  },
  epub: {
    revision: 3,
    endings: ['epub'],
    content: 'zip',
    mediaType: 'application/epub+zip',
    described: 'an EPUB book',
  },
  html: {
    revision: 4,
    endings: ['html'],
    alsoRead: ['htm', 'xhtml'],
    content: 'text',
    mediaType: 'text/html',
    described: 'HTML',
  },
  ics: {
    revision: 2,
    endings: ['ics'],
    content: 'text',
    mediaType: 'text/calendar',
    alsoNamed: ['application/ics'],
    described: 'a calendar',
  },
  ipynb: {
    revision: 1,
    endings: ['ipynb'],
    content: 'text',
    mediaType: 'text/plain',
    alsoNamed: ['application/x-ipynb+json'],
    described: 'a notebook',
  },
  json: {
    revision: 2,
    endings: ['json'],
    content: 'text',
    mediaType: 'text/plain',
    alsoNamed: ['application/json'],
    described: 'JSON',
  },
  jsonl: {
    revision: 2,
    endings: ['jsonl'],
    alsoRead: ['ndjson'],
    content: 'text',
    mediaType: 'text/plain',
    described: 'JSON lines',
  },
  mbox: {
    revision: 3,
    endings: ['mbox'],
    content: 'text',
    mediaType: 'text/plain',
    alsoNamed: ['application/mbox'],
    described: 'a mailbox',
  },
  msg: {
    revision: 4,
    endings: ['msg'],
    content: 'cfb',
    mediaType: 'application/vnd.ms-outlook',
    described: 'an Outlook mail',
  },
  odp: {
    revision: 1,
    endings: ['odp'],
    alsoRead: ['odg', 'otp'],
    content: 'zip',
    mediaType: `${OPEN}.presentation`,
    described: 'an OpenDocument presentation',
  },
  ods: {
    revision: 1,
    endings: ['ods'],
    alsoRead: ['ots'],
    content: 'zip',
    mediaType: `${OPEN}.spreadsheet`,
    described: 'an OpenDocument spreadsheet',
  },
  odt: {
    revision: 1,
    endings: ['odt'],
    alsoRead: ['ott'],
    content: 'zip',
    mediaType: `${OPEN}.text`,
    described: 'an OpenDocument text',
  },
  opml: {
    revision: 1,
    endings: ['opml'],
    content: 'text',
    mediaType: 'text/x-opml',
    alsoNamed: ['application/x-opml+xml', 'text/x-opml+xml'],
    described: 'an outline',
  },
  pdf: { revision: 2, endings: ['pdf'], content: 'pdf', mediaType: 'application/pdf', described: 'a PDF' },
  pptx: {
    revision: 2,
    endings: ['pptx'],
    alsoRead: ['pptm'],
    content: 'zip',
    mediaType: `${OFFICE}.presentationml.presentation`,
    described: 'a PowerPoint deck',
  },
  rtf: {
    revision: 1,
    endings: ['rtf'],
    content: 'text',
    mediaType: 'application/rtf',
    alsoNamed: ['text/rtf'],
    described: 'rich text',
  },
  subtitles: {
    revision: 1,
    endings: ['srt', 'vtt'],
    content: 'text',
    mediaType: 'text/plain',
    described: 'subtitles',
  },
  text: {
    revision: 2,
    endings: ['md', 'txt'],
    alsoRead: ['log', 'markdown'],
    content: 'text',
    mediaType: 'text/plain',
    described: 'text',
  },
  xls: {
    revision: 1,
    endings: ['xls'],
    alsoRead: ['xlt'],
    content: 'cfb',
    mediaType: 'application/vnd.ms-excel',
    described: 'an Excel 97-2003 workbook',
  },
  xlsx: {
    revision: 2,
    endings: ['xlsx'],
    alsoRead: ['xlsm'],
    content: 'zip',
    mediaType: `${OFFICE}.spreadsheetml.sheet`,
    described: 'an Excel workbook',
  },
}

/** File type by file name ending (lower case, without the dot). */
export const TYPE_OF_ENDING: ReadonlyMap<string, FileType> = new Map(
  FILE_TYPES.flatMap((type) => {
    const { endings, alsoRead = [] } = FILE_TYPE_FACTS[type]
    return [...endings, ...alsoRead].map((ending) => [ending, type] as const)
  }),
)

/** The endings that a loader of all types shows as accepted. */
export const ANY_ENDINGS: readonly string[] = [
  ...FILE_TYPES.flatMap((type) => FILE_TYPE_FACTS[type].endings.map((ending) => `.${ending}`)).sort(),
  'other text',
]

/**
 * Equal for equal bytes that are read in the same way: it changes with the type of the file and with the revision of
 * its reader.
 *
 * @param type undefined where no reader of ours is used
 * @param sha256 of the bytes, in hexadecimal
 * @param variant what else decides about the text, see `FileParser.variant`
 */
export const fileFingerprint = (type: FileType | undefined, sha256: string, variant?: string): string =>
  type === undefined
    ? sha256
    : [type, FILE_TYPE_FACTS[type].revision, sha256, ...(variant === undefined ? [] : [variant])].join(' ')
