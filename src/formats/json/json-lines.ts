import { isObject, type Json } from '../../kit/json.ts'

/**
 * Values of a list share lines of about this many characters; a text longer than the second number has a line of its
 * own.
 */
const LIST_WIDTH = 120
const LONGEST_SHARED = 40

/**
 * Of a longer path only the end is written: otherwise a key of a megabyte would be repeated with each value below it.
 */
const LONGEST_PATH = 200

/**
 * A value as lines `path: value`, nested keys joined by dots, with every number, boolean and null. The values of a
 * list of scalars share a line: `tags: a, b`; rows of a list of lists are separated by semicolons. A list that
 * contains objects has a line for each value in it, elements counted from 0 as in a JSON pointer: `lines.0.price: 3`.
 *
 * @param value no deeper than the limit of the reader
 * @param without members of objects that are left out
 */
export function* pathLines(value: Json, without?: ReadonlySet<Json>, path = ''): Generator<string> {
  if (Array.isArray(value)) {
    if (value.length === 0) yield line(path, '[]')
    else if (!holdsObject(value)) for (const packed of packedList(value)) yield line(path, packed)
    else for (const [index, child] of value.entries()) yield* pathLines(child, without, joinPath(path, index))
  } else if (isObject(value)) {
    const members = Object.entries(value)
    if (members.length === 0) yield line(path, '{}')
    for (const [key, child] of members)
      if (!without?.has(child)) yield* pathLines(child, without, joinPath(path, key))
  } else yield line(path, scalarText(value))
}

/** The path of a member. */
export function joinPath(path: string, key: string | number): string {
  const whole = path === '' ? String(key) : `${path}.${key}`
  return whole.length > LONGEST_PATH ? `…${whole.slice(-LONGEST_PATH)}` : whole
}

/** A text, number, boolean or null as it is written into a document. */
export const scalarText = (value: Json): string => (typeof value === 'string' ? value : String(value))

/** Whether a value contains a text, number, boolean or null at any depth, outside of `without`. */
export function holdsScalar(value: Json, without?: ReadonlySet<Json>): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).some((child) => !without?.has(child) && holdsScalar(child, without))
}

const line = (path: string, text: string): string => (path === '' ? text : `${path}: ${text}`)

const holdsObject = (list: readonly Json[]): boolean =>
  list.some((element) => (Array.isArray(element) ? holdsObject(element) : isObject(element)))

/** The values of a list, packed into lines; those that are long have a line each. An empty text is an empty place. */
function* packedList(list: readonly Json[]): Generator<string> {
  let packed: string | undefined
  let mark = ''
  let isLong = false
  for (const [text, ends] of cellsOf(list)) {
    const isFull =
      packed !== undefined &&
      (packed.length + text.length > LIST_WIDTH || text.length > LONGEST_SHARED || isLong)
    if (isFull) yield packed!
    packed = packed === undefined || isFull ? text : packed + mark + text
    mark = ends ? '; ' : ', '
    isLong = text.length > LONGEST_SHARED
  }
  yield packed ?? ''
}

/** The values of a list of lists, and whether a row ends with them. */
function* cellsOf(list: readonly Json[]): Generator<[text: string, endsRow: boolean]> {
  for (const [index, element] of list.entries()) {
    if (!Array.isArray(element)) yield [scalarText(element), false]
    else if (element.length === 0) yield ['[]', false]
    else {
      let held: [string, boolean] | undefined
      for (const cell of cellsOf(element)) {
        if (held) yield held
        held = cell
      }
      if (held) yield [held[0], index < list.length - 1 || held[1]]
    }
  }
}
