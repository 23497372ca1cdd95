import { readFile as readBytes, stat } from 'node:fs/promises'
import type { ParseRequest } from '../contract/file-parser.ts'
import { SluiceError } from '../kit/errors.ts'
import { cleanPart } from './clean.ts'
import { FILE_LIMITS, type FileLimits } from './limits.ts'
import { smallParts } from './small-parts.ts'
import type { FormatReader, ReaderHelp, ReaderItem, ReaderOutput, StreamReader } from './reader.ts'

/**
 * Reads one file with the reader of its type; a long document comes in several parts. Runs in a child process. The
 * module of a reader is loaded at the first file of its type.
 *
 * @throws SluiceError `file_over_limit`, and what the reader throws
 */
export async function* readFileParts(
  request: ParseRequest,
  limits: FileLimits = FILE_LIMITS,
  help: ReaderHelp = {},
): AsyncGenerator<ReaderItem> {
  const { size } = await stat(request.path)
  // text may be longer than its file: a table repeats the column names in each row
  const ratio = request.type === 'json' ? limits.jsonRatio : isStreamed(request.type) ? limits.textRatio : 0
  const budget = limits.textLength + size * ratio
  let length = 0
  for await (const item of await outputOf(request, size, limits, help)) {
    if ('note' in item || 'dropped' in item) yield item
    else {
      length += item.pageContent.length
      if (length > budget) {
        const reason = `its text is longer than ${Math.floor(budget / 1e6)} million characters`
        throw new SluiceError('file_over_limit', { file: request.name, reason })
      }
      yield* smallParts(cleanPart(item), limits.partLength)
    }
  }
}

async function outputOf(
  request: ParseRequest,
  size: number,
  limits: FileLimits,
  help: ReaderHelp,
): Promise<ReaderOutput> {
  const { name, path, type, options = {} } = request
  const format = FORMATS[type]
  if ('stream' in format) return (await format.stream())({ path, name }, options, limits)
  if (size > limits.documentBytes) {
    const reason = `it has ${Math.ceil(size / 2 ** 20)} MB, the limit is ${Math.floor(limits.documentBytes / 2 ** 20)} MB`
    throw new SluiceError('file_over_limit', { file: name, reason })
  }
  const [read, bytes] = await Promise.all([format.whole(), readBytes(path)])
  return read({ bytes, name }, options, limits, help)
}

type Format = { whole: () => Promise<FormatReader> } | { stream: () => Promise<StreamReader> }

const FORMATS: Readonly<Record<ParseRequest['type'], Format>> = {
  csv: { stream: async () => (await import('./csv.ts')).readCsv },
  docx: { whole: async () => (await import('./docx.ts')).readDocx },
  html: { whole: async () => (await import('./html.ts')).readHtml },
  json: { stream: async () => (await import('./json.ts')).readJsonFile },
  jsonl: { stream: async () => (await import('./jsonl.ts')).readJsonLines },
  pdf: { whole: async () => (await import('./pdf.ts')).readPdf },
  pptx: { whole: async () => (await import('./pptx.ts')).readPptx },
  sqlite: { stream: async () => (await import('./sqlite.ts')).readSqlite },
  text: { stream: async () => (await import('./text.ts')).readText },
  xlsx: { whole: async () => (await import('./xlsx.ts')).readXlsx },
}

/** Whether files of a type are read in pieces, so that their size does not matter. */
export const isStreamed = (type: ParseRequest['type']): boolean => 'stream' in FORMATS[type]
