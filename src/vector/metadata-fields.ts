import { CHAT_ID_KEY } from '../documents/conversation.ts'
import type { Metadata } from '../contract/document.ts'
import { isObject, type Json } from '../kit/json.ts'

/** A field of metadata, by its dotted path, as filters name it. */
export type MetadataField = {
  field: string
  /** The types of its values, the most frequent first. */
  types: ('text' | 'number' | 'boolean' | 'list')[]
  /** How many of the chunks have it. */
  chunks: number
  /** Some of its values, the most frequent first. */
  values: (string | number | boolean)[]
}

const MOST_FIELDS = 100
const MOST_VALUES = 20
/** Values beyond this number are not told apart any more: an id differs in every chunk. */
const COUNTED_VALUES = 1000
/** The longest value that is listed, in characters. */
const LONGEST_VALUE = 200
const DEEPEST = 4

type Found = {
  types: Map<MetadataField['types'][number], number>
  chunks: number
  values: Map<string | number | boolean, number>
}

/** The fields of the metadata of some chunks, the most frequent first. */
export function metadataFieldsOf(chunks: Iterable<Metadata>): MetadataField[] {
  const fields = new Map<string, Found>()
  for (const metadata of chunks) addFields(fields, metadata, [])
  return Array.from(fields, ([field, { types, chunks, values }]) => ({
    field,
    types: byCount(types),
    chunks,
    values: byCount(values).slice(0, MOST_VALUES),
  }))
    .sort((one, other) => other.chunks - one.chunks || one.field.localeCompare(other.field))
    .slice(0, MOST_FIELDS)
}

function addFields(fields: Map<string, Found>, value: object, path: readonly string[]): void {
  for (const [name, inner] of Object.entries(value) as [string, Json][]) {
    // A dot in a name cannot be told from a step of the path.
    if (name === CHAT_ID_KEY || name.includes('.') || inner === null) continue
    const at = [...path, name]
    if (isObject(inner)) {
      if (at.length < DEEPEST) addFields(fields, inner, at)
      continue
    }
    const field = at.join('.')
    const found = fields.get(field) ?? { types: new Map(), chunks: 0, values: new Map() }
    fields.set(field, found)
    found.chunks += 1
    count(
      found.types,
      Array.isArray(inner)
        ? 'list'
        : typeof inner === 'string'
          ? 'text'
          : (typeof inner as 'number' | 'boolean'),
    )
    for (const one of Array.isArray(inner) ? inner : [inner]) if (isShown(one)) count(found.values, one)
  }
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  if (counts.size < COUNTED_VALUES || counts.has(key)) counts.set(key, (counts.get(key) ?? 0) + 1)
}

const isShown = (value: Json): value is string | number | boolean =>
  typeof value === 'string'
    ? value !== '' && value.length <= LONGEST_VALUE
    : typeof value === 'number' || typeof value === 'boolean'

const byCount = <Key>(counts: ReadonlyMap<Key, number>): Key[] =>
  [...counts].sort(([, one], [, other]) => other - one).map(([key]) => key)
