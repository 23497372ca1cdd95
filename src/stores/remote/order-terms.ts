import type { Metadata } from '../../contract/document.ts'
import { factKey, fieldsOf } from './metadata-facts.ts'
import type { RangeNarrowing } from './narrowing.ts'

/*
 * Numbers and texts as terms whose order by bytes is the order of the values, for an engine that has ranges of words: one
 * list of terms holds the values of all fields, whatever their types are in other points.
 */

const LONGEST = 64

/** The terms of all fields of metadata that are a number or a text. */
export function orderTermsOf(metadata: Metadata): string[] {
  const terms: string[] = []
  for (const [field, value] of fieldsOf(metadata))
    if (typeof value === 'number' || typeof value === 'string') terms.push(termOf(field, value))
  return terms
}

/** The range of terms that a comparison allows; undefined where the order of bytes may differ from that of the values. */
export function orderRange({ path, op, value }: RangeNarrowing): Record<string, string> | undefined {
  // UTF-8 orders characters by number, JavaScript by UTF-16 code units: they differ above the surrogates.
  if (typeof value === 'string' && /[\ud800-\uffff]/.test(value)) return undefined
  const field = path.join('.')
  const prefix = prefixOf(field, value)
  const term = termOf(field, value)
  // Texts are cut, so those that begin with the same characters may be greater or less.
  const exact = typeof value === 'number'
  return op === 'gt' || op === 'gte'
    ? { [exact ? op : 'gte']: term, lt: `${prefix};` }
    : { gte: `${prefix}:`, [exact ? op : 'lte']: term }
}

const prefixOf = (field: string, value: number | string): string =>
  `${typeof value === 'number' ? 'n' : 't'}${factKey(field)}`

const termOf = (field: string, value: number | string): string =>
  `${prefixOf(field, value)}:${typeof value === 'number' ? sortable(value) : value.slice(0, LONGEST).toWellFormed()}`

const view = new DataView(new ArrayBuffer(8))

/** 16 hexadecimal digits in the order of the numbers. */
function sortable(number: number): string {
  // Minus zero becomes zero.
  view.setFloat64(0, number + 0)
  const bits = view.getBigUint64(0)
  const ordered = bits >> 63n === 1n ? ~bits & 0xffff_ffff_ffff_ffffn : bits | (1n << 63n)
  return ordered.toString(16).padStart(16, '0')
}
