import type { Comparison, Filter } from '../contract/filter.ts'
import type { Metadata } from '../contract/document.ts'
import { canonicalJson, isObject, type Json } from '../kit/json.ts'

/**
 * Whether metadata meet a filter. A field that is absent meets `$ne`, `$nin` and `$exists: false` only. Numbers compare
 * with numbers and texts with texts (ISO dates order as texts do); other pairs are never greater or less.
 */
export function matches(filter: Filter, metadata: Metadata): boolean {
  switch (filter.op) {
    case 'and':
      return filter.all.every((part) => matches(part, metadata))
    case 'or':
      return filter.all.some((part) => matches(part, metadata))
    case 'not':
      return !matches(filter.not, metadata)
    default:
      return meetsComparison(filter, metadataValueAt(metadata, filter.path))
  }
}

/** What metadata hold at a path. A key that contains the dots itself takes precedence over the path. */
export function metadataValueAt(metadata: Metadata, path: readonly string[]): Json | undefined {
  const whole = path.join('.')
  if (Object.hasOwn(metadata, whole)) return metadata[whole]
  let value: Json | undefined = metadata
  for (const key of path) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined
    value = (value as Metadata)[key]
  }
  return value
}

/** Whether a value meets a comparison; undefined is that of an absent field. */
export function meetsComparison(comparison: Comparison, value: Json | undefined): boolean {
  switch (comparison.op) {
    case 'exists':
      return (value !== undefined) === comparison.exists
    case 'eq':
      return value !== undefined && same(value, comparison.value)
    case 'ne':
      return value === undefined || !same(value, comparison.value)
    case 'in':
      return value !== undefined && comparison.values.some((one) => same(value, one))
    case 'nin':
      return value === undefined || !comparison.values.some((one) => same(value, one))
    case 'contains':
      return value !== undefined && contains(value, comparison.value)
    default:
      return value !== undefined && ordered(value, comparison.op, comparison.value)
  }
}

const same = (a: Json, b: Json) =>
  a === b || (typeof a === 'object' && typeof b === 'object' && canonicalJson(a) === canonicalJson(b))

function contains(value: Json, part: Json): boolean {
  if (typeof value === 'string') return typeof part === 'string' && value.includes(part)
  return Array.isArray(value) && value.some((one) => same(one, part))
}

function ordered(a: Json, op: 'gt' | 'gte' | 'lt' | 'lte', b: Json): boolean {
  const comparable =
    (typeof a === 'number' && typeof b === 'number') || (typeof a === 'string' && typeof b === 'string')
  if (!comparable) return false
  switch (op) {
    case 'gt':
      return a > b
    case 'gte':
      return a >= b
    case 'lt':
      return a < b
    case 'lte':
      return a <= b
  }
}
