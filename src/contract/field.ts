import { isObject, type JsonObject, parseJson } from '../kit/json.ts'

/** Inputs that could send a secret, or the server itself, elsewhere: `"*"` never opens them to overrides. */
export type OverrideGuard = 'credential' | 'url' | 'path' | 'table'

/** How the editor shows an input; the names are those of Flowise's parameter types. */
export type FieldType =
  | 'string'
  | 'number'
  | 'boolean'
  | 'json'
  | 'options'
  | 'file'
  | 'password'
  | 'code'
  | 'credential'
  | 'array'

/**
 * One input of a node, declared once: the form, the default, the override gate, the reading of a raw value and its
 * type come from here. Flow files hold raw values in many guises (`"1000"`, `""`, `true`, JSON as text).
 */
export type Field<T> = {
  readonly type: FieldType
  readonly label: string
  /** The value where nothing is given: absent, null or an empty text. */
  readonly fallback: T
  readonly description?: string
  /** Shown under "Additional Parameters". */
  readonly additional?: boolean
  /** What there is to choose from; of a credential field, the kinds of credential that fit. */
  readonly options?: readonly string[]
  /** What a file field takes. */
  readonly fileType?: string
  readonly guard?: OverrideGuard
  /** Makes one object of the one in the flow and the one of a request; without, keys of the request replace those. */
  readonly merge?: (drawn: JsonObject, given: JsonObject) => JsonObject
  /** Whether the node cannot work without a value, here or in one of `alternatives`. */
  readonly required?: true
  /** Other inputs of the node that serve in place of this one. */
  readonly alternatives?: readonly string[]
  /** The value is the id or slug of a flow of this server, `"id:name"` too; in a list, that of a column of its rows. */
  readonly refersTo?: { kind: 'flow'; column?: string }
  /** Reads a raw value that is not empty. @throws Error with the reason, fit for a client */
  read(raw: unknown): T
}

/** The inputs of a node, by name, and the values that they read. */
export type Fields = Record<string, Field<unknown>>
export type ValuesOf<F extends Fields> = { [N in keyof F]: F[N] extends Field<infer T> ? T : never }

type Extra = Partial<
  Pick<Field<unknown>, 'description' | 'additional' | 'guard' | 'required' | 'alternatives' | 'refersTo'>
>

const shown = (raw: unknown) =>
  typeof raw === 'object' ? (Array.isArray(raw) ? 'a list' : 'an object') : JSON.stringify(raw)

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
      throw new Error(`expected a text, received ${shown(raw)}`)
    },
  }
}

export type NumberRange = { min?: number; max?: number; whole?: boolean }

export function numberField<const T extends number | undefined>(
  label: string,
  fallback: T,
  { min = -Infinity, max = Infinity, whole = false }: NumberRange = {},
  extra: Extra = {},
): Field<number | T> {
  return {
    type: 'number',
    label,
    fallback,
    ...extra,
    read(raw) {
      const value = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw
      if (typeof value !== 'number' || !Number.isFinite(value))
        throw new Error(`expected a number, received ${shown(raw)}`)
      if (whole && !Number.isInteger(value)) throw new Error(`expected a whole number, received ${value}`)
      if (value < min) throw new Error(`expected at least ${min}, received ${value}`)
      if (value > max) throw new Error(`expected at most ${max}, received ${value}`)
      return value
    },
  }
}

export function flagField(label: string, fallback: boolean, extra: Extra = {}): Field<boolean> {
  return {
    type: 'boolean',
    label,
    fallback,
    ...extra,
    read(raw) {
      if (typeof raw === 'boolean') return raw
      // Python's clients send True and False.
      if (typeof raw === 'string' && /^(true|false)$/i.test(raw)) return raw.toLowerCase() === 'true'
      throw new Error(`expected true or false, received ${shown(raw)}`)
    },
  }
}

export function choiceField<const V extends string, const T extends V | undefined>(
  label: string,
  options: readonly V[],
  fallback: T,
  extra: Extra = {},
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
      throw new Error(`expected one of ${options.join(', ')}, received ${shown(raw)}`)
    },
  }
}

/** A JSON object, given as such or as text. */
export function objectField(
  label: string,
  extra: Extra & { merge?: (drawn: JsonObject, given: JsonObject) => JsonObject } = {},
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
        `expected a JSON object, received ${typeof raw === 'string' ? 'text that is none' : shown(raw)}`,
      )
    },
  }
}

/** A list of texts: a JSON list, the same as text, or parts between commas. */
export function textListField(label: string, extra: Extra = {}): Field<string[] | undefined> {
  return {
    type: 'string',
    label,
    fallback: undefined,
    ...extra,
    read(raw) {
      const value = typeof raw === 'string' && raw.trim().startsWith('[') ? parseJson(raw) : raw
      if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value
      if (typeof value === 'string')
        return value
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean)
      throw new Error(`expected a list of texts, received ${shown(raw)}`)
    },
  }
}

/** A list of objects, one a row of the form, given as such or as JSON text. */
export function rowListField(label: string, extra: Extra = {}): Field<JsonObject[]> {
  return {
    type: 'array',
    label,
    fallback: [],
    ...extra,
    read(raw) {
      const value = typeof raw === 'string' ? parseJson(raw) : raw
      if (Array.isArray(value) && value.every(isObject)) return value as JsonObject[]
      throw new Error(`expected a list of objects, received ${shown(raw)}`)
    },
  }
}

/** Where a flow keeps a file of its own. */
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
      throw new Error(`expected a file, received ${shown(raw)}`)
    },
  }
}

/** A secret that is typed in; where it is empty the node's credential holds it. */
export function secretField(label: string): Field<string | undefined> {
  return { ...textField(label, undefined, { additional: true, guard: 'credential' }), type: 'password' }
}

/** The id of a stored credential; the input of every card that has one is called `credential`. */
export function credentialField(label: string, kinds: readonly string[]): Field<string | undefined> {
  return { ...textField(label, undefined, { guard: 'credential' }), type: 'credential', options: kinds }
}

/** Whether a raw value says nothing, so that the default holds. */
export const isEmptyInput = (raw: unknown): boolean => raw === undefined || raw === null || raw === ''
