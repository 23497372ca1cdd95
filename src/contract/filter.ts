import type { Json } from '../kit/json.ts'

/** What one metadata field is asked; a dotted path reaches into objects. */
export type Comparison =
  | { path: string[]; op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains'; value: Json }
  | { path: string[]; op: 'in' | 'nin'; values: Json[] }
  | { path: string[]; op: 'exists'; exists: boolean }

/** A checked metadata filter, the same for every store. An `and` of nothing holds for all. */
export type Filter = Comparison | { op: 'and' | 'or'; all: Filter[] } | { op: 'not'; not: Filter }
