import type { Metadata } from '../contract/document.ts'
import type { ParseOptions } from '../contract/file-parser.ts'
import { isObject, type Json } from '../kit/json.ts'
import { decodeText } from './decode.ts'
import { holdsScalar } from './json-lines.ts'
import { type JsonRecord, recordsOf, recordText } from './json-records.ts'
import { asWritten, metadataOf, parseJsonFile, stepsOf, stepTo, valueAt } from './json-text.ts'
import type { Limits } from './limits.ts'
import { type Numbered, numbered } from './numbered.ts'
import type { FormatReader, Note } from './reader.ts'

type Counted = Omit<Numbered, 'line'>

/**
 * A JSON value, read in one of three ways. By default each of its records is a document of lines `path: value` (see
 * json-records.ts). With `separateByObject` each element of an array, else the value itself, is one, where it is an object.
 * With `pointers` the texts below those keys or pointers, which are looked for at every depth of each element, are a
 * document each. Metadata `pointer` is the JSON pointer of a document, `line` counts them from 1; `metadataPointers`
 * are followed from the element. What is left out is told in notes.
 */
export const readJson: FormatReader = async function* (file, options, limits) {
  const text = await decodeText(file.bytes)
  const value = parseJsonFile(text, file.name, limits)
  const { pointers = [], separateByObject } = options
  const documents = pointers.length > 0 && !separateByObject ? textsBelow(value, pointers) : undefined
  const found = documents ?? documentsOf(asWritten(text, value), options, { file: file.name, limits })
  yield* numbered(counted(withMetadata(found, value, options)))
}

function* documentsOf(
  value: Json,
  { separateByObject }: ParseOptions,
  { file, limits }: { file: string; limits: Limits },
): Generator<Counted | Note> {
  const records = separateByObject ? objectsOf(value) : recordsOf(value)
  let skipped = 0
  for (const record of records) {
    const isWanted = !separateByObject || isObject(record.value)
    if (isWanted && holdsScalar(record.value, record.without))
      yield { pageContent: recordText(record, file, limits), metadata: { pointer: record.pointer } }
    else if (!isWanted || !record.without) skipped++
  }
  const why = separateByObject ? 'are not objects with values' : 'hold no value'
  if (skipped > 0) yield { note: `${skipped} of its elements ${why} and were skipped` }
}

/** The elements of an array, else the one value, whole. */
function* objectsOf(value: Json): Generator<JsonRecord> {
  if (!Array.isArray(value)) return yield { pointer: '', value, context: '' }
  for (const [index, element] of value.entries()) yield { pointer: `/${index}`, value: element, context: '' }
}

type Search = { pointers: readonly string[][]; found: boolean[]; others: number }

function* textsBelow(value: Json, pointers: readonly string[]): Generator<Counted | Note> {
  const search = { pointers: pointers.map(stepsOf), found: pointers.map(() => false), others: 0 }
  for (const { value: item, pointer } of objectsOf(value)) yield* below(item, pointer, search)
  for (const [index, pointer] of pointers.entries())
    if (!search.found[index]) yield { note: `nothing in it is at the pointer ${pointer}` }
  if (search.others > 0)
    yield {
      note: `at the pointers, values that are no texts were left out: numbers, booleans and nulls, ${search.others} of them`,
    }
}

/** @param begun which pointers led to this value, and by how many of their steps */
function* below(
  value: Json,
  at: string,
  search: Search,
  begun: readonly [pointer: number, steps: number][] = [],
): Generator<Counted> {
  if (typeof value !== 'object' || value === null) return
  const starts = search.pointers.map((_, index): [number, number] => [index, 0])
  for (const [key, child] of Object.entries(value)) {
    const led = [...begun, ...starts]
      .filter(([index, steps]) => search.pointers[index]![steps] === key)
      .map(([index, steps]): [number, number] => [index, steps + 1])
    const complete = led.filter(([index, steps]) => search.pointers[index]!.length === steps)
    for (const [index] of complete) search.found[index] = true
    if (complete.length > 0) yield* textsIn(child, at + stepTo(key), search)
    else yield* below(child, at + stepTo(key), search, led)
  }
}

function* textsIn(value: Json, pointer: string, search: Search): Generator<Counted> {
  if (typeof value === 'string') yield { pageContent: value, metadata: { pointer } }
  else if (typeof value !== 'object' || value === null) search.others++
  else for (const [key, child] of Object.entries(value)) yield* textsIn(child, pointer + stepTo(key), search)
}

/** Adds what `metadataPointers` lead to from the element in which each document stands. */
function* withMetadata(
  documents: Iterable<Counted | Note>,
  value: Json,
  { metadataPointers }: ParseOptions,
): Generator<Counted | Note> {
  for (const document of documents) {
    if ('note' in document || !metadataPointers) yield document
    else {
      const [, element = ''] = String(document.metadata?.pointer).split('/')
      const item = Array.isArray(value) ? valueAt(value, [element]) : value
      const metadata: Metadata = { ...document.metadata, ...metadataOf(item ?? null, metadataPointers) }
      yield { ...document, metadata }
    }
  }
}

function* counted(documents: Iterable<Counted | Note>): Generator<Numbered | Note> {
  let line = 0
  for (const document of documents) {
    if ('note' in document) yield document
    else if (document.pageContent.trim() !== '') yield { line: ++line, ...document }
  }
}
