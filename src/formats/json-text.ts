import { SluiceError } from '../kit/errors.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import { countMembers, quoteAlteredNumbers } from './json-numbers.ts'
import type { FileLimits } from './limits.ts'
import type { Note } from './reader.ts'

/**
 * Parses JSON of a file. What it returns is no deeper than the limit, so that everything after may walk it
 * recursively.
 *
 * @param start where the text begins in its file, both from 1
 * @returns the value, and how many members of its objects were lost because their key occurs again in the same object
 * @throws SluiceError `file_unreadable` with the place where there is one, never a quotation; `file_over_limit`
 */
export function parseJsonFile(text: string, file: string, limits: FileLimits, start = BEGIN): ParsedJson {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch (error) {
    const place = /\(line (\d+) column (\d+)\)/.exec((error as Error).message)
    const [line, column] = place ? [Number(place[1]), Number(place[2])] : [0, 0]
    const at = `${start.line + line - 1}, column ${line === 1 ? start.column + column - 1 : column}`
    const where = place ? `: it breaks off in line ${at}` : ''
    throw new SluiceError('file_unreadable', { file, reason: `it is not JSON${where}` })
  }
  const { excess, members } = survey(value, limits)
  if (excess) throw new SluiceError('file_over_limit', { file, reason: excess })
  return { value, repeated: countMembers(text) - members }
}

/**
 * The same with each number that parsing would alter as a string of its digits: `9.0`. Only one of the two values is held
 * at a time, as that of a large file fills the memory that a reader has.
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
    // Its place is told in the text of the file.
    return parseJsonFile(text, file, limits, start)
  }
}

/** What to tell where objects of a file lost members to others of the same key. */
export const repeatedKeysNote = (count: number): Note => ({
  note: `${count} ${count === 1 ? 'value was' : 'values were'} left out because the key occurs again later in the same object`,
})

export type ParsedJson = { value: Json; repeated: number }

const BEGIN = { line: 1, column: 1 }

/** JSON.parse takes a million levels, on which any recursive walk would end the process: so this one is not. */
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

/** A JSON pointer (RFC 6901) taken apart: `/a~1b/0` is `['a/b', '0']`. A bare key is a pointer of one step. */
export function pointerSteps(pointer: string): string[] {
  if (!pointer.startsWith('/')) return pointer === '' ? [] : [pointer]
  const steps = pointer.slice(1).split('/')
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The step to a member, as it stands in a JSON pointer. */
export const pointerStep = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** The value that a pointer leads to; undefined where it leads nowhere. */
export function valueAtPointer(value: Json, steps: readonly string[]): Json | undefined {
  let at: Json | undefined = value
  for (const step of steps) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    at = (at as JsonObject)[step]
  }
  return at
}

/** The metadata that an item holds about itself: each key with the value its pointer leads to, if any. */
export function metadataOf(item: Json, pointers: Record<string, string> = {}): JsonObject {
  const found: [string, Json][] = []
  for (const [key, pointer] of Object.entries(pointers)) {
    const value = valueAtPointer(item, pointerSteps(pointer))
    if (value !== undefined) found.push([key, value])
  }
  return Object.fromEntries(found)
}
