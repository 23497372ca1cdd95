/** A condition of the filter builder; `value` is as it is typed. */
export type FilterRow = { field: string; test: FilterTest; value: string }

/** The tests of a condition, with the operator of the filter language. */
export const FILTER_TESTS = {
  is: '$eq',
  'is not': '$ne',
  'is one of': '$in',
  'at least': '$gte',
  'at most': '$lte',
  contains: '$contains',
  exists: '$exists',
} as const
export type FilterTest = keyof typeof FILTER_TESTS

const TESTS = Object.entries(FILTER_TESTS) as [FilterTest, string][]

/** The filter of some conditions, which must all hold; undefined where none is complete. */
export function filterOf(rows: readonly FilterRow[]): Record<string, unknown> | undefined {
  const filters = rows.flatMap(({ field, test, value }) => {
    if (field.trim() === '' || (value.trim() === '' && test !== 'exists')) return []
    return [{ [field.trim()]: { [FILTER_TESTS[test]]: typedValue(test, value) } }]
  })
  return filters.length > 1 ? { $and: filters } : filters[0]
}

function typedValue(test: FilterTest, text: string): unknown {
  if (test === 'exists') return text !== 'no'
  if (test === 'is one of') return text.split(',').map((one) => scalarOf(one.trim()))
  return scalarOf(text.trim())
}

/** Numbers, true and false as such; in quotes they are texts. */
function scalarOf(text: string): unknown {
  if (/^".*"$/s.test(text)) return text.slice(1, -1)
  if (text === 'true' || text === 'false') return text === 'true'
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

/** The conditions of a filter; undefined where the builder cannot show it. */
export function rowsOf(filter: Record<string, unknown> | undefined): FilterRow[] | undefined {
  if (filter === undefined) return []
  const parts = Array.isArray(filter.$and) && Object.keys(filter).length === 1 ? filter.$and : [filter]
  const rows = parts.flatMap((part: unknown) =>
    isObject(part) ? Object.entries(part).map(rowOf) : [undefined],
  )
  return rows.every((row) => row !== undefined) ? rows : undefined
}

function rowOf([field, condition]: [string, unknown]): FilterRow | undefined {
  if (field.startsWith('$')) return undefined
  if (!isObject(condition))
    return isScalar(condition) ? { field, test: 'is', value: written(condition) } : undefined
  const [only, ...others] = Object.entries(condition)
  const test = only && TESTS.find(([, operator]) => operator === only[0])?.[0]
  if (!only || !test || others.length > 0) return undefined
  const [, value] = only
  if (test === 'exists') return { field, test, value: value === false ? 'no' : 'yes' }
  if (test === 'is one of')
    return Array.isArray(value) && value.every(isScalar) && value.every((one) => !String(one).includes(','))
      ? { field, test, value: value.map(written).join(', ') }
      : undefined
  return isScalar(value) ? { field, test, value: written(value) } : undefined
}

/** A text that reads as a number gets quotes. */
const written = (value: string | number | boolean): string =>
  typeof value === 'string' && typeof scalarOf(value) !== 'string' ? `"${value}"` : String(value)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)
