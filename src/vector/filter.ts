import type { Comparison, Filter } from '../contract/filter.ts'
import { reasonOf, SluiceError } from '../kit/errors.ts'
import { isObject, type Json } from '../kit/json.ts'
import { pathsOf } from './metadata-columns.ts'

const MAX_DEPTH = 32
/** Each looks at every chunk, and each field is kept in memory from then on. */
const MAX_COMPARISONS = 256
const MAX_FIELDS = 32

/**
 * Reads a metadata filter as clients write it: `{field: value}`, `{field: {$gte: 3}}`, `$and`, `$or`, `$not`, dotted
 * paths. Several keys in one object all have to hold.
 *
 * @throws SluiceError `filter_invalid`, for an unknown operator too: it is refused, never dropped
 */
export function parseFilter(raw: unknown): Filter {
  try {
    return checkSize(readFilter(raw, 0))
  } catch (error) {
    throw new SluiceError('filter_invalid', { reason: reasonOf(error) })
  }
}

function checkSize(filter: Filter): Filter {
  const paths = pathsOf(filter)
  if (paths.length > MAX_COMPARISONS)
    throw new Error(`it compares more than ${MAX_COMPARISONS} times: $in takes a list of any length`)
  if (new Set(paths.map((path) => path.join('.'))).size > MAX_FIELDS)
    throw new Error(`it asks for more than ${MAX_FIELDS} fields`)
  return filter
}

function readFilter(raw: unknown, depth: number): Filter {
  if (!isObject(raw)) throw new Error('expected an object')
  if (depth > MAX_DEPTH) throw new Error(`it is nested deeper than ${MAX_DEPTH}`)
  const all = Object.entries(raw).map(([key, value]): Filter => {
    if (key === '$and' || key === '$or') {
      if (!Array.isArray(value)) throw new Error(`${key} takes a list of filters`)
      return { op: key === '$and' ? 'and' : 'or', all: value.map((part) => readFilter(part, depth + 1)) }
    }
    if (key === '$not') return { op: 'not', not: readFilter(value, depth + 1) }
    if (key.startsWith('$')) throw new Error(`there is no operator ${key}`)
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
  if (!operator.startsWith('$') || op === undefined) throw new Error(`there is no operator ${operator}`)
  if (ORDERED.includes(op) && typeof operand !== 'number' && typeof operand !== 'string') {
    throw new Error(`${operator} takes a number or a text`)
  }
  return { path, op, value: operand }
}
