import { canonicalJson, isObject, type Json, type JsonObject } from '../../kit/json.ts'

/**
 * Stands in a text for a value that is not shown. `secret`: `shown` is what is left of it without its secret, such as an
 * address without its password. `stored`: `shown` names a file that the flow holds. `value` is there where the drawing is known.
 */
export class Hidden {
  readonly kind: 'secret' | 'stored'
  readonly shown: Json
  readonly value: Json | undefined

  constructor(kind: Hidden['kind'], shown: Json, value?: Json) {
    this.kind = kind
    this.shown = shown
    this.value = value
  }
}

/** A value of an input as a text has it: JSON, in which some values may be hidden. */
export type TextValue = null | boolean | number | string | Hidden | TextValue[] | { [key: string]: TextValue }
export type TextObject = { [key: string]: TextValue }

/** An object with this member, also where its name is `__proto__`. */
export function setMember<V>(object: { [key: string]: V }, name: string, value: V): void {
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
}

const isMap = (value: TextValue | undefined): value is TextObject =>
  isObject(value) && !(value instanceof Hidden)

/** A value with everything hidden that `stripped`, the same without secrets, does not have. */
export function hideDifferences(value: Json, stripped: Json | undefined): TextValue {
  if (stripped !== undefined && isSameJson(value, stripped)) return value
  if (Array.isArray(value) && Array.isArray(stripped) && value.length === stripped.length)
    return value.map((one, at) => hideDifferences(one, stripped[at]))
  if (isObject(value) && isObject(stripped)) {
    const shown: TextObject = {}
    for (const [name, one] of Object.entries(value as JsonObject))
      setMember(
        shown,
        name,
        hideDifferences(one, Object.hasOwn(stripped, name) ? (stripped as JsonObject)[name] : undefined),
      )
    return shown
  }
  return new Hidden('secret', stripped ?? '', value)
}

export const isSameJson = (a: Json, b: Json): boolean => a === b || canonicalJson(a) === canonicalJson(b)

/**
 * A text value as JSON. A hidden value is the one that `known` has at the same place, or anywhere under the same name if only one
 * fits.
 *
 * @param known the value at this place in the drawing that is there
 * @param onMissing is called with the path of each hidden value that is not known; what is shown stands in its place
 */
export function withHidden(
  value: TextValue,
  known: TextValue | undefined,
  onMissing: (path: string[]) => void,
): Json {
  const all = known === undefined ? [] : [...hiddenWithin(known, [])]
  return restored(value, known, [])

  function restored(one: TextValue, old: TextValue | undefined, path: string[]): Json {
    if (one instanceof Hidden) {
      const found = old instanceof Hidden && isSameHidden(old, one) ? old.value : fitting(one, path.at(-1))
      if (found !== undefined) return found
      onMissing(path)
      return one.kind === 'stored' ? '' : one.shown
    }
    if (Array.isArray(one))
      return one.map((inner, at) =>
        restored(inner, Array.isArray(old) ? old[at] : undefined, [...path, `${at}`]),
      )
    if (!isMap(one)) return one
    const object: JsonObject = {}
    for (const [name, inner] of Object.entries(one))
      setMember(
        object,
        name,
        restored(inner, isMap(old) && Object.hasOwn(old, name) ? old[name] : undefined, [...path, name]),
      )
    return object
  }

  function fitting(one: Hidden, name: string | undefined): Json | undefined {
    const found = all.filter((other) => other.path.at(-1) === name && isSameHidden(other.hidden, one))
    const [first] = found
    const value = first?.hidden.value
    if (value === undefined) return undefined
    return found.every(({ hidden }) => isSameJson(hidden.value!, value)) ? value : undefined
  }
}

const isSameHidden = (a: Hidden, b: Hidden): boolean => a.kind === b.kind && isSameJson(a.shown, b.shown)

function* hiddenWithin(value: TextValue, path: string[]): Iterable<{ hidden: Hidden; path: string[] }> {
  if (value instanceof Hidden) yield { hidden: value, path }
  else if (Array.isArray(value))
    for (const [at, inner] of value.entries()) yield* hiddenWithin(inner, [...path, `${at}`])
  else if (isMap(value))
    for (const [name, inner] of Object.entries(value)) yield* hiddenWithin(inner, [...path, name])
}

/** A text value as JSON for comparing: hidden values by what is shown of them, or by what they are. */
export function comparable(value: TextValue, by: 'shown' | 'value' = 'shown'): Json {
  if (value instanceof Hidden)
    return by === 'value' ? (value.value ?? null) : { [`!${value.kind}`]: value.shown }
  if (Array.isArray(value)) return value.map((one) => comparable(one, by))
  if (!isMap(value)) return value
  const object: JsonObject = {}
  for (const [name, inner] of Object.entries(value)) setMember(object, name, comparable(inner, by))
  return object
}
