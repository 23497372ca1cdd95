import type { Json } from '../../kit/json.ts'

/** What a parameter or a field means, with its unit, and a value that it may have. */
export type FieldDoc = readonly [about: string, example: Json]
