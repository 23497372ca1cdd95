import { SluiceError } from '../../kit/errors.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import { countMembers, quoteAlteredNumbers } from './json-numbers.ts'
import type { FileLimits } from '../limits.ts'
import type { DroppedItem, Note } from '../reader.ts'

/**
 * Parses the JSON of a file. The value is not deeper than the limit, so that later code may walk it recursively.
 *
 * @param start where the text begins in its file, line and column from 1
 * @returns the value, and how many members of its objects were lost because their key occurs again in the same object
 * @throws SluiceError `file_unreadable` with the position if it is known, never with text of the file;
 *    `file_over_limit`
 */
export function parseJsonFile(text: string, file: string, limits: FileLimits, start = BEGIN): ParsedJson {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch (error) {
    const place = /\(line (\d+) column (\d+)\)/.exec((error as Error).message)
    const [line, column] = place ? [Number(place[1]), Number(place[2])] : [0, 0]
    const at = `${start.line + line - 1}, column ${line === 1 ? start.column + column - 1 : column}`
    const where = place ? `: error in line ${at}` : ''
    throw new SluiceError('file_unreadable', { file, reason: `it is not valid JSON${where}` })
  }
  const { excess, members } = survey(value, limits)
  if (excess) throw new SluiceError('file_over_limit', { file, reason: excess })
  return { value, repeated: countMembers(text) - members }
}

/**
 * Like {@link parseJsonFile}, but each number that parsing would change becomes a string of its digits: `9.0`. Only
 * one parsed value is in memory at a time, because that of a large file takes most of a reader's memory.
 */
export function parseKeepingNumbers(
  text: string,
  file: string,
  limits: FileLimits,
  start = BEGIN,
): ParsedJson {
  const exact = quoteAlteredNumbers(text)
  if (exact === text) return parseJsonFile(text, file, limits, start)
  try {
    return parseJsonFile(exact, file, limits)
  } catch {
    // Parsed again, so that the error has the position in the text of the file.
    return parseJsonFile(text, file, limits, start)
  }
}

/** What tells about members that were lost because their key occurs again; nothing where there are none. */
export function* repeatedKeys(count: number): Generator<Note | DroppedItem> {
  if (count === 0) return
  yield {
    note: `${count} ${count === 1 ? 'value was' : 'values were'} left out because the key occurs again later in the same object`,
  }
  yield { dropped: { kind: 'repeatedKey', count } }
}

export type ParsedJson = { value: Json; repeated: number }

const BEGIN = { line: 1, column: 1 }

/**
 * Checks the limits and counts members. It is not recursive: JSON.parse accepts a million levels, and a recursive
 * walk over them would overflow the stack.
 */
function survey(value: Json, limits: FileLimits): { excess?: string; members: number } {
  let level: Json[] = [value]
  let nodes = 1
  let members = 0
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.jsonDepth)
      return { excess: `it is nested more than ${limits.jsonDepth} deep`, members }
    const next: Json[] = []
    for (const node of level) {
      if (typeof node !== 'object' || node === null) continue
      const before = next.length
      for (const child of Object.values(node)) next.push(child)
      if (!Array.isArray(node)) members += next.length - before
    }
    nodes += next.length
    if (nodes > limits.jsonNodes)
      return { excess: `it has more than ${limits.jsonNodes / 1e6} million values`, members }
    level = next
  }
  return { members }
}

/** The steps of a JSON pointer (RFC 6901): `/a~1b/0` gives `['a/b', '0']`. A bare key is a pointer of one step. */
export function pointerSteps(pointer: string): string[] {
  if (!pointer.startsWith('/')) return pointer === '' ? [] : [pointer]
  const steps = pointer.slice(1).split('/')
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** One step of a JSON pointer, escaped. */
export const pointerStep = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** The value at the end of the steps; undefined if there is none. */
export function valueAtPointer(value: Json, steps: readonly string[]): Json | undefined {
  let at: Json | undefined = value
  for (const step of steps) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    at = (at as JsonObject)[step]
  }
  return at
}

/** The metadata of an item: each key with the value at its pointer, if there is one. */
export function metadataOf(item: Json, pointers: Record<string, string> = {}): JsonObject {
  const found: [string, Json][] = []
  for (const [key, pointer] of Object.entries(pointers)) {
    const value = valueAtPointer(item, pointerSteps(pointer))
    if (value !== undefined) found.push([key, value])
  }
  return Object.fromEntries(found)
}
