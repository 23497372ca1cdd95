import type { Metadata } from '../../contract/document.ts'
import type { ParseOptions } from '../../contract/file-parser.ts'
import { isObject, type Json } from '../../kit/json.ts'
import { type TopLevelValue, topLevelValues } from './json-elements.ts'
import { holdsScalar } from './json-lines.ts'
import { type JsonRecord, recordsOf, recordsOfTopElement, recordText } from './json-records.ts'
import {
  metadataOf,
  parseKeepingNumbers,
  parseJsonFile,
  repeatedKeys,
  pointerSteps,
  pointerStep,
} from './json-text.ts'
import { isJsonLines, readJsonLines } from './jsonl.ts'
import type { FileLimits } from '../limits.ts'
import { type NumberedDocument, numberDocuments, type Told } from '../numbered.ts'
import type { StreamFile, StreamReader } from '../reader.ts'
import { textPieces } from '../text.ts'
import { UndecodedCharacters } from '../undecoded.ts'

type UnnumberedDocument = Omit<NumberedDocument, 'line'>

/**
 * Reads a JSON file in one of three ways. By default each of its records is a document with lines `path: value` (see
 * json-records.ts). With `separateByObject` each element of an array, or the value itself, is one if it is an object.
 * With `pointers` each text below those keys or pointers, which are searched at every depth of each element, is one.
 * Metadata `pointer` is the JSON pointer of a document, `line` its number from 1; `metadataPointers` are resolved
 * from the element. Notes say what was left out.
 *
 * An array is read element by element, however large the file is; any other value is held in memory. A file with one
 * value per line is read as JSON Lines.
 *
 * @throws SluiceError `file_unreadable`, `file_over_limit`
 */
export const readJsonFile: StreamReader = async function* (file, options, limits) {
  if (await isJsonLines(textPieces(file))) {
    yield { note: 'it holds several JSON values, a line each, and was read as JSON Lines' }
    return yield* readJsonLines(file, options, limits)
  }
  yield* numberDocuments(counted(documentsOf(file, options, limits)))
}

async function* documentsOf(
  file: StreamFile,
  options: ParseOptions,
  limits: FileLimits,
): AsyncGenerator<UnnumberedDocument | Told> {
  const { name } = file
  const { pointers = [], separateByObject = false, metadataPointers } = options
  const search = pointers.length > 0 && !separateByObject ? searchFor(pointers) : undefined
  const tally: Tally = { skipped: 0, repeated: 0 }
  const plain = new PlainList()
  let isCollection = separateByObject || search !== undefined
  const lost = new UndecodedCharacters()
  const values = topLevelValues(textPieces(file, lost), name, limits)

  function* documents({ text, index, start }: TopLevelValue): Generator<UnnumberedDocument> {
    const pointer = index === undefined ? '' : `/${index}`
    if (search) {
      const { value, repeated } = parseJsonFile(text, name, limits, start)
      tally.repeated += repeated
      const metadata = metadataOf(value, metadataPointers)
      for (const document of below(value, pointer, search))
        yield { ...document, metadata: { ...document.metadata, ...metadata } }
      return
    }
    // Only one parsed value is in memory at a time: that of a large file takes most of it.
    const metadata = metadataPointers
      ? metadataOf(parseJsonFile(text, name, limits, start).value, metadataPointers)
      : {}
    const { value, repeated } = parseKeepingNumbers(text, name, limits, start)
    tally.repeated += repeated
    const records = separateByObject
      ? [{ pointer, value, context: '' }]
      : index === undefined
        ? recordsOf(value)
        : recordsOfTopElement(value, index)
    yield* documentsFrom(records, { separateByObject, metadata, tally, name, limits })
  }

  for (let next = await values.next(); ; next = await values.next()) {
    if (next.done) {
      // A list of words or numbers is one record.
      if (next.value && !isCollection) yield* documents({ ...BEGIN_OF_FILE, text: plain.text() })
      break
    }
    const { text, index } = next.value
    if (!isCollection && index !== undefined) {
      if (!/^\s*[[{]/.test(text)) {
        plain.add(text)
        continue
      }
      isCollection = true
      for await (const before of topLevelValues([plain.text()], name, limits)) yield* documents(before)
    }
    yield* documents(next.value)
  }
  if (search) yield* notesOf(search)
  if (tally.skipped > 0) {
    const why = separateByObject ? 'are not objects with values' : 'hold no value'
    yield { note: `${tally.skipped} of its elements ${why} and were skipped` }
    yield { dropped: { kind: 'skippedValue', count: tally.skipped } }
  }
  yield* repeatedKeys(tally.repeated)
  yield* lost.report()
}

type Tally = { skipped: number; repeated: number }

const BEGIN_OF_FILE = { index: undefined, start: { line: 1, column: 1 } }

/** Collects scalar elements until one is an object or a list; there may be millions. */
class PlainList {
  readonly #joined: string[] = []
  #last: string[] = []

  add(element: string): void {
    if (this.#last.push(element) < 10_000) return
    this.#joined.push(this.#last.join())
    this.#last = []
  }

  text(): string {
    return `[${[...this.#joined, ...(this.#last.length > 0 ? [this.#last.join()] : [])].join()}]`
  }
}

type DocumentOptions = {
  separateByObject: boolean
  metadata: Metadata
  tally: Tally
  name: string
  limits: FileLimits
}

function* documentsFrom(
  records: Iterable<JsonRecord>,
  options: DocumentOptions,
): Generator<UnnumberedDocument> {
  const { separateByObject, metadata, tally, name, limits } = options
  for (const record of records) {
    const isWanted = !separateByObject || isObject(record.value)
    if (isWanted && holdsScalar(record.value, record.without)) {
      const pageContent = recordText(record, name, limits)
      yield { pageContent, metadata: { pointer: record.pointer, ...metadata } }
    } else if (!isWanted || !record.without) tally.skipped++
  }
}

type Search = { names: readonly string[]; pointers: readonly string[][]; found: boolean[]; others: number }

const searchFor = (names: readonly string[]): Search => ({
  names,
  pointers: names.map(pointerSteps),
  found: names.map(() => false),
  others: 0,
})

function* notesOf({ names, found, others }: Search): Generator<Told> {
  for (const [index, name] of names.entries())
    if (!found[index]) yield { note: `nothing in it is at the pointer ${name}` }
  if (others > 0) {
    yield {
      note: `at the pointers, values that are no texts were left out: numbers, booleans and nulls, ${others} of them`,
    }
    yield { dropped: { kind: 'skippedValue', count: others } }
  }
}

/**
 * The texts at the pointers below a value. @param begun pointers that match up to this value, with the number of
 * matched steps
 */
function* below(
  value: Json,
  at: string,
  search: Search,
  begun: readonly [pointer: number, steps: number][] = [],
): Generator<UnnumberedDocument> {
  if (typeof value !== 'object' || value === null) return
  const starts = search.pointers.map((_, index): [number, number] => [index, 0])
  for (const [key, child] of Object.entries(value)) {
    const matched = [...begun, ...starts]
      .filter(([index, steps]) => search.pointers[index]![steps] === key)
      .map(([index, steps]): [number, number] => [index, steps + 1])
    const complete = matched.filter(([index, steps]) => search.pointers[index]!.length === steps)
    for (const [index] of complete) search.found[index] = true
    if (complete.length > 0) yield* textsIn(child, at + pointerStep(key), search)
    else yield* below(child, at + pointerStep(key), search, matched)
  }
}

function* textsIn(value: Json, pointer: string, search: Search): Generator<UnnumberedDocument> {
  if (typeof value === 'string') yield { pageContent: value, metadata: { pointer } }
  else if (typeof value !== 'object' || value === null) search.others++
  else
    for (const [key, child] of Object.entries(value))
      yield* textsIn(child, pointer + pointerStep(key), search)
}

async function* counted(
  documents: AsyncIterable<UnnumberedDocument | Told>,
): AsyncGenerator<NumberedDocument | Told> {
  let line = 0
  for await (const document of documents) {
    if (!('pageContent' in document)) yield document
    else if (document.pageContent.trim() !== '') yield { line: ++line, ...document }
  }
}
