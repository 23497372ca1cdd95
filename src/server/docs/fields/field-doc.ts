import type { Json } from '../../../kit/json.ts'

/** The meaning of a parameter or field, with its unit, and one value as an example. */
export type FieldDoc = readonly [description: string, example: Json]

/**
 * Field docs by name: a name has the same meaning everywhere. Where it has not, `parent.name` is its meaning inside the
 * field `parent`, or in the `path`, `query`, `body`, `answer` or `failure`.
 */
export type FieldDocs = Readonly<Record<string, FieldDoc>>

/** Example values that several fields share. */
export const EXAMPLE_ID = '5f6a9c1e-6f0e-4a53-9d7b-0d8f4f6f2b11'
export const EXAMPLE_MOMENT = '2026-01-31T09:00:00.000Z'
