import { stat } from 'node:fs/promises'
import { DroppedRows } from '../documents/dropped-rows.ts'
import type { ParseOptions, ParseRequest } from '../contract/file-parser.ts'
import { SluiceError } from '../kit/errors.ts'
import { cleanPart } from './clean.ts'
import { fewTold } from './few-told.ts'
import { wholeBytes } from './file-pieces.ts'
import { insideFiles } from './inside-files.ts'
import { FILE_LIMITS, type FileLimits } from './limits.ts'
import { smallParts } from './small-parts.ts'
import type {
  ContainerReader,
  FormatReader,
  InsideFiles,
  ReaderHelp,
  ReaderItem,
  ReaderOutput,
  StreamFile,
  StreamReader,
} from './reader.ts'

/**
 * Reads one file with the reader of its type; a long document comes in several parts. Runs in a child process. The
 * module of a reader is loaded at the first file of its type. What was left out comes last, in few rows.
 *
 * @throws SluiceError `file_over_limit`, and what the reader throws
 */
export async function* readFileParts(
  request: ParseRequest,
  limits: FileLimits = FILE_LIMITS,
  help: ReaderHelp = {},
): AsyncGenerator<ReaderItem> {
  const { name, path, type, options = {} } = request
  const { size } = await stat(path)
  const inside = insideFiles(limits, (file, type, inside) => ({
    items: bounded({ file, size: file.bytes.length, type, options, limits, inside, help }),
    isContainer: isContainer(type),
  }))
  const items = bounded({ file: { path, name }, size, type, options, limits, inside, help })
  const dropped = new DroppedRows()
  for await (const item of isContainer(type) ? fewTold(items) : items) {
    if ('note' in item) yield item
    else if ('dropped' in item) dropped.add(item.dropped)
    else yield* smallParts(cleanPart(item), limits.partLength)
  }
  for (const row of dropped.rows) yield { dropped: row }
}

type Reading = {
  file: StreamFile
  size: number
  type: ParseRequest['type']
  options: ParseOptions
  limits: FileLimits
  inside: InsideFiles
  help: ReaderHelp
}

/** What the reader of a file yields, of bounded length. @throws SluiceError `file_over_limit`, and what the reader throws */
async function* bounded(reading: Reading): AsyncGenerator<ReaderItem> {
  const { file, size, type, limits } = reading
  // text may be longer than its file: a table repeats the column names in each row
  const ratio = type === 'json' ? limits.jsonRatio : isStreamed(type) ? limits.textRatio : 0
  const budget = limits.textLength + size * ratio
  let length = 0
  for await (const item of await outputOf(reading)) {
    if ('pageContent' in item) length += item.pageContent.length
    if (length > budget) {
      const reason = `its text is longer than ${Math.floor(budget / 1e6)} million characters`
      throw new SluiceError('file_over_limit', { file: file.name, reason })
    }
    yield item
  }
}

async function outputOf({ file, size, type, options, limits, inside, help }: Reading): Promise<ReaderOutput> {
  const format = FORMATS[type]
  if ('stream' in format) return (await format.stream())(file, options, limits)
  if ('container' in format) return (await format.container())(file, options, limits, inside)
  const [bytes, read] = await Promise.all([wholeBytes(file, size, limits), format.whole()])
  return read({ bytes, name: file.name }, options, limits, help)
}

type Format =
  | { whole: () => Promise<FormatReader> }
  | { stream: () => Promise<StreamReader> }
  | { container: () => Promise<ContainerReader> }

const FORMATS: Readonly<Record<ParseRequest['type'], Format>> = {
  csv: { stream: async () => (await import('./csv.ts')).readCsv },
  doc: { whole: async () => (await import('./old-office/doc.ts')).readDoc },
  docx: { whole: async () => (await import('./office/docx.ts')).readDocx },
  eml: { container: async () => (await import('./mail/eml.ts')).readMailFile },
  epub: { whole: async () => (await import('./web/epub.ts')).readEpub },
  html: { whole: async () => (await import('./web/html.ts')).readHtml },
  ics: { stream: async () => (await import('./ics.ts')).readIcs },
  ipynb: { stream: async () => (await import('./json/ipynb.ts')).readNotebook },
  json: { stream: async () => (await import('./json/json.ts')).readJsonFile },
  jsonl: { stream: async () => (await import('./json/jsonl.ts')).readJsonLines },
  mbox: { container: async () => (await import('./mail/mbox.ts')).readMailbox },
  msg: { container: async () => (await import('./mail/msg.ts')).readOutlookMail },
  odp: { whole: async () => (await import('./office/odp.ts')).readOdp },
  ods: { whole: async () => (await import('./office/ods.ts')).readOds },
  odt: { whole: async () => (await import('./office/odt.ts')).readOdt },
  opml: { whole: async () => (await import('./opml.ts')).readOpml },
  pdf: { whole: async () => (await import('./pdf/pdf.ts')).readPdf },
  pptx: { whole: async () => (await import('./office/pptx.ts')).readPptx },
  rtf: { stream: async () => (await import('./old-office/rtf.ts')).readRtf },
  sqlite: { stream: async () => (await import('./sqlite.ts')).readSqlite },
  subtitles: { stream: async () => (await import('./subtitles.ts')).readSubtitles },
  text: { stream: async () => (await import('./text.ts')).readText },
  xls: { whole: async () => (await import('./old-office/xls.ts')).readXls },
  xlsx: { whole: async () => (await import('./office/xlsx.ts')).readXlsx },
}

/** Whether files of a type are read in pieces, so that their size does not matter. */
export const isStreamed = (type: ParseRequest['type']): boolean => !('whole' in FORMATS[type])

/** Whether a file of a type may have others inside. */
const isContainer = (type: ParseRequest['type']): boolean => 'container' in FORMATS[type]
