import type { Field, FormHints, NumberRange } from '../contract/field.ts'
import { isObject, type JsonObject, parseJson } from '../kit/json.ts'

type Extra = FormHints &
  Partial<
    Pick<Field<unknown>, 'description' | 'additional' | 'guard' | 'required' | 'alternatives' | 'refersTo'>
  >

const describe = (raw: unknown) =>
  typeof raw === 'object' ? (Array.isArray(raw) ? 'a list' : 'an object') : JSON.stringify(raw)

/** A text. A number becomes its text. */
export function textField<const T extends string | undefined>(
  label: string,
  fallback: T,
  extra: Extra = {},
): Field<string | T> {
  return {
    type: 'string',
    label,
    fallback,
    ...extra,
    read(raw) {
      if (typeof raw === 'string' || typeof raw === 'number') return String(raw)
      throw new Error(`expected a text, received ${describe(raw)}`)
    },
  }
}

/** A number, also as text, within the range. */
export function numberField<const T extends number | undefined>(
  label: string,
  fallback: T,
  range: NumberRange = {},
  extra: Extra = {},
): Field<number | T> {
  const { min = -Infinity, max = Infinity, whole = false } = range
  return {
    type: 'number',
    label,
    fallback,
    range,
    ...extra,
    read(raw) {
      const value = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw
      if (typeof value !== 'number' || !Number.isFinite(value))
        throw new Error(`expected a number, received ${describe(raw)}`)
      if (whole && !Number.isInteger(value)) throw new Error(`expected a whole number, received ${value}`)
      if (value < min) throw new Error(`expected at least ${min}, received ${value}`)
      if (value > max) throw new Error(`expected at most ${max}, received ${value}`)
      return value
    },
  }
}

/** A boolean, also as text. */
export function flagField(label: string, fallback: boolean, extra: Extra = {}): Field<boolean> {
  return {
    type: 'boolean',
    label,
    fallback,
    ...extra,
    read(raw) {
      if (typeof raw === 'boolean') return raw
      // Python clients send True and False.
      if (typeof raw === 'string' && /^(true|false)$/i.test(raw)) return raw.toLowerCase() === 'true'
      throw new Error(`expected true or false, received ${describe(raw)}`)
    },
  }
}

/** One of the given texts. */
export function choiceField<const V extends string, const T extends V | undefined>(
  label: string,
  options: readonly V[],
  fallback: T,
  extra: Extra & { readonly initial?: V } = {},
): Field<V | T> {
  return {
    type: 'options',
    label,
    fallback,
    options,
    ...extra,
    read(raw) {
      const found = options.find((option) => option === raw)
      if (found !== undefined) return found
      throw new Error(`expected one of ${options.join(', ')}, received ${describe(raw)}`)
    },
  }
}

/** A JSON object, also as JSON text. */
export function objectField(
  label: string,
  extra: Extra & Pick<Field<JsonObject>, 'merge'> = {},
): Field<JsonObject> {
  return {
    type: 'json',
    label,
    fallback: {},
    ...extra,
    read(raw) {
      const value = typeof raw === 'string' ? parseJson(raw) : raw
      if (isObject(value)) return value as JsonObject
      throw new Error(
        `expected a JSON object, received ${typeof raw === 'string' ? 'text that is not one' : describe(raw)}`,
      )
    },
  }
}

/** A list of texts: a JSON list, also as JSON text, or a text with commas. */
export function textListField(label: string, extra: Extra = {}): Field<string[] | undefined> {
  return {
    type: 'string',
    label,
    fallback: undefined,
    several: true,
    ...extra,
    read(raw) {
      const value = typeof raw === 'string' && raw.trim().startsWith('[') ? parseJson(raw) : raw
      if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value
      if (typeof value === 'string')
        return value
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean)
      throw new Error(`expected a list of texts, received ${describe(raw)}`)
    },
  }
}

/** A list of objects, one for each row of the form, also as JSON text. */
export function rowListField(label: string, extra: Extra = {}): Field<JsonObject[]> {
  return {
    type: 'array',
    label,
    fallback: [],
    ...extra,
    read(raw) {
      const value = typeof raw === 'string' ? parseJson(raw) : raw
      if (Array.isArray(value) && value.every(isObject)) return value as JsonObject[]
      throw new Error(`expected a list of objects, received ${describe(raw)}`)
    },
  }
}

/** Files stored in the flow. */
export function fileField(label: string, fileType: string, extra: Extra = {}): Field<string | undefined> {
  return {
    type: 'file',
    label,
    fallback: undefined,
    fileType,
    guard: 'path',
    ...extra,
    read(raw) {
      if (typeof raw === 'string') return raw
      if (Array.isArray(raw)) return JSON.stringify(raw)
      throw new Error(`expected a file, received ${describe(raw)}`)
    },
  }
}

/** A secret typed into the node. If it is empty, the node uses its credential. */
export function secretField(label: string): Field<string | undefined> {
  return { ...textField(label, undefined, { additional: true, guard: 'credential' }), type: 'password' }
}

/** The id of a stored credential. The input has the name `credential` in every node. */
export function credentialField(label: string, kinds: readonly string[]): Field<string | undefined> {
  return { ...textField(label, undefined, { guard: 'credential' }), type: 'credential', options: kinds }
}

/** Whether an input has no raw value, so that its `fallback` is used. */
export const isEmptyInput = (raw: unknown): boolean => raw === undefined || raw === null || raw === ''
