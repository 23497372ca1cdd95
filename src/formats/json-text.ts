import { SluiceError } from '../kit/errors.ts'
import type { Json, JsonObject } from '../kit/json.ts'
import { numbersAsWritten } from './json-numbers.ts'
import type { Limits } from './limits.ts'

/**
 * Parses JSON of a file. What it returns is no deeper than the limit, so that everything after may walk it
 * recursively.
 *
 * @throws SluiceError `file_unreadable` with the place where there is one, never a quotation; `file_over_limit`
 */
export function parseJsonFile(text: string, file: string, limits: Limits): Json {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch (error) {
    const place = /\(line (\d+) column (\d+)\)/.exec((error as Error).message)
    const where = place ? `: it breaks off in line ${place[1]}, column ${place[2]}` : ''
    throw new SluiceError('file_unreadable', { file, reason: `it is not JSON${where}` })
  }
  const excess = excessOf(value, limits)
  if (excess) throw new SluiceError('file_over_limit', { file, reason: excess })
  return value
}

/** What {@link parseJsonFile} made of a text, with each number that parsing altered as a string of its digits: `9.0`. */
export function asWritten(text: string, value: Json): Json {
  const exact = numbersAsWritten(text)
  return exact === text ? value : (JSON.parse(exact) as Json)
}

/** JSON.parse takes a million levels, on which any recursive walk would end the process: so this one is not. */
function excessOf(value: Json, limits: Limits): string | undefined {
  let level: Json[] = [value]
  let nodes = 1
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.jsonDepth) return `it is nested more than ${limits.jsonDepth} deep`
    const next: Json[] = []
    for (const node of level) {
      if (typeof node !== 'object' || node === null) continue
      for (const child of Object.values(node)) next.push(child)
    }
    nodes += next.length
    if (nodes > limits.jsonNodes) return `it has more than ${limits.jsonNodes / 1e6} million values`
    level = next
  }
  return undefined
}

/** A JSON pointer (RFC 6901) taken apart: `/a~1b/0` is `['a/b', '0']`. A bare key is a pointer of one step. */
export function stepsOf(pointer: string): string[] {
  if (!pointer.startsWith('/')) return pointer === '' ? [] : [pointer]
  const steps = pointer.slice(1).split('/')
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The step to a member, as it stands in a JSON pointer. */
export const stepTo = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** The value that a pointer leads to; undefined where it leads nowhere. */
export function valueAt(value: Json, steps: readonly string[]): Json | undefined {
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
    const value = valueAt(item, stepsOf(pointer))
    if (value !== undefined) found.push([key, value])
  }
  return Object.fromEntries(found)
}
