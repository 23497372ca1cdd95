import { SluiceError } from '../../kit/errors.ts'
import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import { joinPath, pathLines, scalarText } from './json-lines.ts'
import { pointerStep } from './json-text.ts'
import type { FileLimits } from '../limits.ts'

/** A part of a JSON value that becomes a document. */
export type JsonRecord = {
  /** JSON pointer (RFC 6901) of the record in the value that was split; empty for that value itself. */
  pointer: string
  value: Json
  /** Lists inside it whose elements are separate records. */
  without?: ReadonlySet<Json>
  /** Lines that identify the larger records around it. */
  context: string
}

/** In characters. Only a longer element of a list is split; this is about half of a chunk. */
const WHOLE_LENGTH = 500

/**
 * Characters that are measured to decide whether an element is split: nested elements are measured again, so it is
 * bounded.
 */
const MEASURED_LENGTH = 50_000

/** In characters. A list of texts of at least this average length is a list of documents, not of words. */
const PROSE_LENGTH = 40

/** Characters of a record that are repeated in the records split from it: in total, and at most per value. */
const CONTEXT = { characters: 200, value: 80 }

/**
 * Splits a value into records, in file order. Each element of a list of objects is a record. An object is one record,
 * unless it consists mostly of lists of objects: then each of their elements is a record, and the rest of the object
 * is one. An object that is itself an element is split only if it is long. Lists of words and numbers stay in their
 * object.
 */
export function* recordsOf(value: Json): Generator<JsonRecord> {
  const root = { pointer: '', value, context: '' }
  if (Array.isArray(value)) {
    if (isCollection(value)) yield* elementsOf(value, '', { path: '', context: '' })
    else yield root
  } else yield* partsOf(root, '', true)
}

/** Like {@link recordsOf}, for a value that counts as an element of a list: a line of JSON Lines. */
export function recordsOfElement(value: Json): Generator<JsonRecord> {
  return partsOf({ pointer: '', value, context: '' }, '', false)
}

/** Like {@link recordsOf}, for an element of the list that is the value of a file. */
export const recordsOfTopElement = (value: Json, index: number): Generator<JsonRecord> =>
  elementOf(value, { pointer: `/${index}`, path: '', context: '' })

/**
 * The text of a record: its context, then its values, as lines `path: value`.
 *
 * @throws SluiceError `file_over_limit` if it is longer than all text of a file may be
 */
export function recordText(
  { value, without, context }: JsonRecord,
  file: string,
  limits: FileLimits,
): string {
  let text = context
  for (const line of pathLines(value, without)) {
    text += text === '' ? line : `\n${line}`
    if (text.length <= limits.textLength) continue
    const reason = `one of its objects has more than ${Math.floor(limits.textLength / 1e6)} million characters`
    throw new SluiceError('file_over_limit', { file, reason })
  }
  return text
}

type Surroundings = { path: string; context: string }

/** @param path the keys that lead here, without the indexes of elements */
function* partsOf(record: JsonRecord, path: string, isRoot: boolean): Generator<JsonRecord> {
  const { value, pointer } = record
  if (!isObject(value) || !isSplit(value, isRoot)) return yield record
  const lists = [...listsOfObjects(value as JsonObject, pointer, path)]
  yield { ...record, without: new Set<Json>(lists.map(({ list }) => list)) }
  const context = isRoot ? '' : contextOf(value as JsonObject, path, record.context)
  for (const { list, ...at } of lists) yield* elementsOf(list, at.pointer, { path: at.path, context })
}

function* elementsOf(list: Json[], pointer: string, { path, context }: Surroundings): Generator<JsonRecord> {
  for (const [index, value] of list.entries())
    yield* elementOf(value, { pointer: `${pointer}/${index}`, path, context })
}

function* elementOf(
  value: Json,
  { pointer, path, context }: Surroundings & { pointer: string },
): Generator<JsonRecord> {
  if (Array.isArray(value) && value.some(isObject)) yield* elementsOf(value, pointer, { path, context })
  else yield* partsOf({ pointer, value, context }, path, false)
}

type FoundList = { list: Json[]; pointer: string; path: string }

/** The lists of objects below an object, through objects only. */
function* listsOfObjects(object: JsonObject, pointer: string, path: string): Generator<FoundList> {
  for (const [key, child] of Object.entries(object)) {
    const at = { pointer: `${pointer}${pointerStep(key)}`, path: joinPath(path, key) }
    if (Array.isArray(child) && child.some(isObject)) yield { list: child, ...at }
    else if (isObject(child)) yield* listsOfObjects(child as JsonObject, at.pointer, at.path)
  }
}

/** Whether the elements of a top-level list are documents: not if they are words or numbers. */
function isCollection(list: readonly Json[]): boolean {
  if (list.some((element) => typeof element === 'object' && element !== null)) return true
  let length = 0
  for (const element of list) length += scalarText(element).length
  return length >= list.length * PROSE_LENGTH
}

function isSplit(object: Json, isRoot: boolean): boolean {
  const { all, inLists } = measure(object, isRoot ? Number.POSITIVE_INFINITY : MEASURED_LENGTH)
  return inLists * 2 > all && (isRoot || all > WHOLE_LENGTH)
}

/** About how many characters a value has, and how many of them in lists of objects that are not in lists themselves. */
function measure(value: Json, most: number): { all: number; inLists: number } {
  let all = 0
  let inLists = 0
  const add = (length: number, isInList: boolean) => {
    all += length
    if (isInList) inLists += length
  }
  const walk = (node: Json, isInList: boolean): void => {
    if (all > most) return
    if (Array.isArray(node)) {
      const below = isInList || node.some(isObject)
      for (const child of node) walk(child, below)
    } else if (isObject(node)) {
      for (const [key, child] of Object.entries(node)) {
        add(key.length + 2, isInList)
        walk(child, isInList)
      }
    } else add(scalarText(node).length, isInList)
  }
  walk(value, false)
  return { all, inLists }
}

/** The first short values of an object, after those of the objects around it. */
function contextOf(object: JsonObject, path: string, around: string): string {
  let context = around
  for (const [key, child] of Object.entries(object)) {
    if (typeof child === 'object' || child === '') continue
    const text = scalarText(child)
    if (text.length > CONTEXT.value || text.includes('\n')) continue
    const line = `${joinPath(path, key)}: ${text}`
    if (context.length + line.length > CONTEXT.characters) break
    context += context === '' ? line : `\n${line}`
  }
  return context
}
