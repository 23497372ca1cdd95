import type { Comparison, Filter } from '../contract/filter.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { isObject, type Json, type JsonObject } from '../kit/json.ts'
import { pathsOf } from './metadata-columns.ts'

/** Every operator of a filter: those that combine filters, and those that compare a value. */
export const OPERATORS = [
  '$and',
  '$or',
  '$not',
  '$eq',
  '$ne',
  '$in',
  '$nin',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$exists',
  '$contains',
] as const

const unknownOperator = (name: string) =>
  new Error(`there is no operator ${name}; the operators are ${OPERATORS.join(', ')}`)

const MAX_DEPTH = 32
/** Limits, because each comparison reads the values of all chunks, and each field is loaded into memory. */
const MAX_COMPARISONS = 256
const MAX_FIELDS = 32

/**
 * Reads a metadata filter as clients write it: `{field: value}`, `{field: {$gte: 3}}`, `$and`, `$or`, `$not`, dotted
 * paths. Several keys in one object all have to hold. An empty list of filters and an empty filter inside another one
 * are refused: they would hold for every chunk or for none. `{}` itself holds for all.
 *
 * @throws SluiceError `filter_invalid`, for an unknown operator too: it is refused, never dropped
 */
export function parseFilter(raw: unknown): Filter {
  try {
    refuseProto(raw, 0)
    return checkSize(readFilter(raw, 0))
  } catch (error) {
    throw new SluiceError('filter_invalid', { reason: reasonOf(error) })
  }
}

/**
 * Whether a filter holds for every chunk, or for none, only because a list in it is empty: `{a: {$nin: []}}`. Undefined
 * where it depends on the chunks.
 */
export function emptyMeaning(filter: Filter): 'all' | 'none' | undefined {
  switch (filter.op) {
    case 'in':
      return filter.values.length === 0 ? 'none' : undefined
    case 'nin':
      return filter.values.length === 0 ? 'all' : undefined
    case 'not': {
      const inner = emptyMeaning(filter.not)
      return inner && (inner === 'all' ? 'none' : 'all')
    }
    case 'and':
    case 'or': {
      const [decides, otherwise] =
        filter.op === 'and' ? (['none', 'all'] as const) : (['all', 'none'] as const)
      const parts = filter.all.map(emptyMeaning)
      if (parts.includes(decides)) return decides
      return parts.every((part) => part === otherwise) ? otherwise : undefined
    }
    default:
      return undefined
  }
}

/** A filter that holds where both hold, as clients write them. */
export function joinFilters(first: JsonObject, second: JsonObject): JsonObject {
  const given = [first, second].filter((filter) => Object.keys(filter).length > 0)
  return given.length === 2 ? { $and: given } : (given[0] ?? {})
}

/** Refuses the key `__proto__`, which has its own meaning in JavaScript objects. */
function refuseProto(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  if (depth > 4 * MAX_DEPTH) throw new Error(`it is nested deeper than ${MAX_DEPTH}`)
  if (Object.hasOwn(value, '__proto__')) throw new Error('a key may not be __proto__')
  for (const part of Object.values(value)) refuseProto(part, depth + 1)
}

function checkSize(filter: Filter): Filter {
  const paths = pathsOf(filter)
  if (paths.length > MAX_COMPARISONS)
    throw new Error(`it compares more than ${MAX_COMPARISONS} times: $in takes a list of any length`)
  if (new Set(paths.map((path) => path.join('.'))).size > MAX_FIELDS)
    throw new Error(`it compares more than ${MAX_FIELDS} fields`)
  return filter
}

function readFilter(raw: unknown, depth: number): Filter {
  if (!isObject(raw)) throw new Error('expected an object')
  if (depth > MAX_DEPTH) throw new Error(`it is nested deeper than ${MAX_DEPTH}`)
  if (depth > 0 && Object.keys(raw).length === 0) throw new Error('a filter inside another one is empty')
  const all = Object.entries(raw).map(([key, value]): Filter => {
    if (key === '$and' || key === '$or') {
      if (!Array.isArray(value)) throw new Error(`${key} takes a list of filters`)
      if (value.length === 0) throw new Error(`${key} takes at least one filter`)
      return { op: key === '$and' ? 'and' : 'or', all: value.map((part) => readFilter(part, depth + 1)) }
    }
    if (key === '$not') return { op: 'not', not: readFilter(value, depth + 1) }
    if (key.startsWith('$')) throw unknownOperator(key)
    return readField(key, value)
  })
  return all.length === 1 ? all[0]! : { op: 'and', all }
}

function readField(key: string, value: unknown): Filter {
  const path = key.split('.')
  if (!isObject(value) || !Object.keys(value).some((name) => name.startsWith('$'))) {
    return { path, op: 'eq', value: value as Json }
  }
  const all = Object.entries(value).map(([operator, operand]) =>
    readComparison(path, operator, operand as Json),
  )
  return all.length === 1 ? all[0]! : { op: 'and', all }
}

const ONE_VALUE = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains'] as const
const ORDERED: readonly string[] = ['gt', 'gte', 'lt', 'lte']

function readComparison(path: string[], operator: string, operand: Json): Comparison {
  const name = operator.slice(1)
  if (operator === '$in' || operator === '$nin') {
    if (!Array.isArray(operand)) throw new Error(`${operator} takes a list`)
    return { path, op: name as 'in' | 'nin', values: operand }
  }
  if (operator === '$exists') {
    if (typeof operand !== 'boolean') throw new Error('$exists takes true or false')
    return { path, op: 'exists', exists: operand }
  }
  const op = ONE_VALUE.find((one) => one === name)
  if (!operator.startsWith('$') || op === undefined) throw unknownOperator(operator)
  if (ORDERED.includes(op) && typeof operand !== 'number' && typeof operand !== 'string') {
    throw new Error(`${operator} takes a number or a text`)
  }
  return { path, op, value: operand }
}
