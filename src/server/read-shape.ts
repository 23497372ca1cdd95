import type { z } from 'zod'
import type { Warning } from '../flow/apply-request.ts'
import { SluiceError } from '../kit/errors.ts'
import { suggest } from '../kit/suggest.ts'

type Issue = z.core.$ZodRawIssue

/**
 * Reads a value by its shape. The message of a refusal has the field, the expected type and the received type, never the
 * received value.
 *
 * @throws SluiceError with the given code
 */
export function readShape<S extends z.ZodType>(
  code: 'body_invalid' | 'query_invalid',
  shape: S,
  value: unknown,
): z.output<S> {
  const result = shape.safeParse(value, { error: plainMessage })
  if (result.success) return result.data
  const { path, message } = deepest(result.error.issues[0]!)
  throw new SluiceError(code, { reason: path.length > 0 ? `${path.join('.')}: ${message}` : message })
}

type Found = { path: PropertyKey[]; message: string }

/** For a union, the issue of the shape that fits best: the one whose issue has the longest path. */
function deepest(issue: z.core.$ZodIssue): Found {
  if (issue.code !== 'invalid_union') return issue
  const within = issue.errors.flatMap(([first]) => (first ? [deepest(first)] : []))
  const best = within.toSorted((a, b) => b.path.length - a.path.length)[0]
  if (!best || best.path.length === 0) return issue
  return { path: [...issue.path, ...best.path], message: best.message }
}

/** The message for an issue whose shape has no message of its own. */
function plainMessage(issue: Issue): string {
  const received = `received ${kindOf(issue.input)}`
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${NAMES[issue.expected] ?? issue.expected}, ${received}`
    case 'invalid_value':
      return `expected ${issue.values.map(String).join(' or ')}, ${received}`
    case 'too_small':
      return `expected ${amount(issue.origin, 'at least', Number(issue.minimum))}, received less`
    case 'too_big':
      return `expected ${amount(issue.origin, 'at most', Number(issue.maximum))}, received more`
    case 'invalid_format':
      return `expected ${FORMATS[issue.format] ?? 'text of another form'}, ${received} of another form`
    case 'not_multiple_of':
      return `expected a multiple of ${issue.divisor}, ${received}`
    case 'unrecognized_keys':
      return `there is no field ${issue.keys.join(', ')}`
    case 'invalid_union':
      return `expected ${expectedByUnion(issue.errors)}, ${received}`
    default:
      return `expected another value, ${received}`
  }
}

const NAMES: Partial<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  nan: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
  undefined: 'nothing',
  date: 'a date',
}

const FORMATS: Partial<Record<string, string>> = {
  datetime: 'a date and time such as 2026-01-31T09:00:00Z',
  date: 'a date such as 2026-01-31',
}

function amount(origin: string, bound: string, number: number): string {
  if (origin === 'string') return `text of ${bound} ${number} ${number === 1 ? 'character' : 'characters'}`
  if (origin === 'array') return `a list of ${bound} ${number} ${number === 1 ? 'item' : 'items'}`
  return `a number of ${bound} ${number}`
}

/** The types that the shapes of a union expect. */
function expectedByUnion(choices: readonly (readonly z.core.$ZodIssue[])[]): string {
  const wanted = choices.flatMap(
    ([issue]) => /^expected (.*), received/.exec(issue?.message ?? '')?.[1] ?? [],
  )
  return wanted.length > 0 ? [...new Set(wanted)].join(' or ') : 'another value'
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  const kinds: Partial<Record<string, string>> = {
    string: 'text',
    number: Number.isNaN(value) ? 'text that is no number' : 'a number',
    boolean: 'true or false',
    object: 'an object',
  }
  return kinds[typeof value] ?? typeof value
}

/** The fields of a value that its shape declares. */
export const knownFields = <Value extends object, Fields extends z.core.$ZodLooseShape>(
  value: Value,
  { shape }: z.ZodObject<Fields>,
): Pick<Value, keyof Fields & keyof Value> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(shape, name))) as Value

/** How many unknown fields are listed: a body may have thousands. */
const MAX_UNKNOWN = 20

/**
 * A warning for each field that the shape does not declare: the request is answered, and the client learns why a
 * misspelt field had no effect.
 *
 * @param ignored names without a warning: fields without effect that clients of Flowise send
 */
export function unknownFields(
  request: object,
  shape: z.ZodObject,
  ignored: readonly string[] = [],
): Warning[] {
  const known = Object.keys(shape.shape)
  return Object.keys(request)
    .filter((key) => !known.includes(key) && !ignored.includes(key))
    .slice(0, MAX_UNKNOWN)
    .map((key) => {
      const similar = suggest(key, known)
      return {
        key: key.slice(0, 100),
        reason: `there is no such field${similar ? `; did you mean ${similar}?` : ''}`,
      }
    })
}
