import type { Json } from '../kit/json.ts'

/** A comparison with one metadata field; a path of several keys is a field inside objects. */
export type Comparison =
  | { path: string[]; op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains'; value: Json }
  | { path: string[]; op: 'in' | 'nin'; values: Json[] }
  | { path: string[]; op: 'exists'; exists: boolean }

/** A checked metadata filter, the same for every store. An empty `and` holds for all chunks. */
export type Filter = Comparison | { op: 'and' | 'or'; all: Filter[] } | { op: 'not'; not: Filter }
