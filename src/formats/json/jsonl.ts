import type { ParseOptions } from '../../contract/file-parser.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Json } from '../../kit/json.ts'
import { holdsScalar } from './json-lines.ts'
import { type JsonRecord, recordsOfElement, recordText } from './json-records.ts'
import {
  metadataOf,
  parseKeepingNumbers,
  parseJsonFile,
  repeatedKeys,
  pointerSteps,
  pointerStep,
  valueAtPointer,
} from './json-text.ts'
import type { FileLimits } from '../limits.ts'
import { type NumberedDocument, numberDocuments, type Told } from '../numbered.ts'
import type { StreamFile, StreamReader } from '../reader.ts'
import { textPieces } from '../text.ts'
import { UndecodedCharacters } from '../undecoded.ts'

/** The first skipped lines have a note each; the others are counted. */
const NAMED_LINES = 10

/**
 * Reads JSON Lines: each line is a document with lines `path: value`, of the values at `pointers` or of all of it. A
 * long line that consists mostly of lists of objects is split as json-records.ts says. A line that is not JSON, or
 * has no text there, is skipped with a note. Metadata `line` is the line in the file, `pointer` the position in the
 * line.
 *
 * @throws SluiceError `file_unreadable` if no line is JSON, `file_over_limit` if a line does not end
 */
export const readJsonLines: StreamReader = (file, options, limits) =>
  numberDocuments(documents(file, options, limits))

async function* documents(
  file: StreamFile,
  options: ParseOptions,
  limits: FileLimits,
): AsyncGenerator<NumberedDocument | Told> {
  const pointers = (options.pointers ?? []).map(pointerSteps)
  let line = 0
  let good = 0
  let bad = 0
  let repeated = 0
  const lost = new UndecodedCharacters()
  for await (const text of linesFrom(file, limits, lost)) {
    line++
    if (text.trim() === '') continue
    let problem: string | undefined
    try {
      const { value, repeated: lost } = parseKeepingNumbers(text, file.name, limits)
      good++
      repeated += lost
      const metadata = options.metadataPointers
        ? metadataOf(parseJsonFile(text, file.name, limits).value, options.metadataPointers)
        : {}
      let documents = 0
      for (const record of recordsAt(value, pointers)) {
        const pageContent = recordText(record, file.name, limits)
        if (!holdsScalar(record.value, record.without) || pageContent.trim() === '') continue
        documents++
        yield { line, pageContent, metadata: { pointer: record.pointer, ...metadata } }
      }
      if (documents > 0) continue
      problem = 'has no text'
    } catch (error) {
      problem =
        error instanceof SluiceError && error.code === 'file_over_limit'
          ? 'is nested too deep or too long'
          : 'is not JSON'
    }
    if (++bad <= NAMED_LINES) yield { note: `line ${line} ${problem} and was skipped` }
  }
  if (bad > 0 && good === 0) {
    throw new SluiceError('file_unreadable', { file: file.name, reason: 'none of its lines is JSON' })
  }
  if (bad > NAMED_LINES) yield { note: `${bad - NAMED_LINES} more lines were skipped` }
  if (bad > 0) yield { dropped: { kind: 'skippedLine', count: bad } }
  yield* repeatedKeys(repeated)
  yield* lost.report()
}

/** Characters in which the end of the first line is searched. */
const HEAD_LENGTH = 1_000_000

/** Whether the first line of a `.json` file is a whole object or array, followed by another one. */
export async function isJsonLines(pieces: AsyncIterable<string>): Promise<boolean> {
  let head = ''
  for await (const piece of pieces) {
    head += piece
    const [first = '', next] = /^\s*(\S.*)\n\s*(\S)/.exec(head)?.slice(1) ?? []
    if (first !== '') return /^[[{]/.test(first) && next === first[0] && isJson(first)
    if (head.length > HEAD_LENGTH) break
  }
  return false
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The records of a whole line, or of the values at the pointers. */
function* recordsAt(value: Json, pointers: readonly string[][]): Generator<JsonRecord> {
  if (pointers.length === 0) return yield* recordsOfElement(value)
  for (const steps of pointers) {
    const found = valueAtPointer(value, steps)
    if (found !== undefined) yield { pointer: steps.map(pointerStep).join(''), value: found, context: '' }
  }
}

/** The lines of a file, which end in `\n` or `\r\n`; JSON has no raw line breaks inside a value. */
async function* linesFrom(
  file: StreamFile,
  limits: FileLimits,
  lost: UndecodedCharacters,
): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of textPieces(file, lost)) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop()!
    yield* lines
    if (rest.length > limits.lineLength) {
      throw new SluiceError('file_over_limit', { file: file.name, reason: 'a line does not end' })
    }
  }
  if (rest !== '') yield rest
}
