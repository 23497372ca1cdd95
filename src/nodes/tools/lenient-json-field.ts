import type { Field } from '../../contract/field.ts'
import { isObject, type Json } from '../../kit/json.ts'
import { lenientJson } from '../../kit/lenient-json.ts'

type Extra = Omit<Field<unknown>, 'type' | 'label' | 'fallback' | 'read'>

/** An object or a list, also as hand-written JSON with small mistakes. An empty one counts as no value. */
export function lenientJsonField(
  label: string,
  type: 'string' | 'code',
  extra: Extra = {},
): Field<Exclude<Json, string | number | boolean | null> | undefined> {
  return {
    type,
    label,
    fallback: undefined,
    language: 'json',
    ...extra,
    read(raw) {
      const value = typeof raw === 'string' ? lenientJson(raw) : (raw as Json)
      if (!isObject(value) && !Array.isArray(value)) throw new Error('expected JSON: {"name": …}')
      return Object.keys(value).length === 0 ? undefined : value
    },
  }
}
