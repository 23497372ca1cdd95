import { isObject, type Json } from '../kit/json.ts'

/** The value of a name between braces; undefined if the name is unknown: then the text stays as it is. */
export type VariableScope = (name: string) => Json | undefined

/** `{{ name }}` on one line, with any spacing, or one of the given names between single braces. */
const PLACE = /\{\{([^{}\n]+)\}\}|\{([a-z_]+)\}/g

/**
 * Replaces the variables of a text in one pass: inserted values are not expanded again, so that a user's `{{$vars.key}}`
 * or `$&` stays as it is. In a text that looks like JSON, a value within quotes is escaped, so that it cannot end the
 * string.
 *
 * @param single names that are also replaced between single braces, as prompts of chains have them: `{context}`
 */
export function expand(text: string, scope: VariableScope, single: ReadonlySet<string> = new Set()): string {
  const quoted = looksLikeJson(text) ? quotesIn(text) : () => false
  return text.replace(PLACE, (place: string, name: string | undefined, bare: string, offset: number) => {
    const value = name !== undefined ? scope(name.trim()) : single.has(bare) ? scope(bare) : undefined
    if (value === undefined) return place
    const written = typeof value === 'string' ? value : JSON.stringify(value)
    return quoted(offset) ? JSON.stringify(written).slice(1, -1) : written
  })
}

/** Expands every text within a value. Keys stay. */
export function expandWithin(value: unknown, scope: VariableScope): unknown {
  if (typeof value === 'string') return expand(value, scope)
  if (Array.isArray(value)) return value.map((inner) => expandWithin(inner, scope))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expandWithin(inner, scope)]))
}

/** The value at a dotted path, `items[0].name`. */
export function valueAtPath(value: Json | undefined, path: string): Json | undefined {
  const steps = path.replace(/\[(\d+)\]/g, '.$1').split('.')
  return steps.reduce<Json | undefined>((inner, step) => stepInto(inner, step), value)
}

function stepInto(value: Json | undefined, step: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
  return (value as Record<string, Json>)[step]
}

const looksLikeJson = (text: string) => /^\s*(\{(?!\{)[\s\S]*\}|\[[\s\S]*\])\s*$/.test(text)

/** Whether an offset is within double quotes. Offsets must grow from call to call. */
function quotesIn(text: string): (offset: number) => boolean {
  let [at, inside] = [0, false]
  return (offset) => {
    for (; at < offset; at++) {
      if (text[at] === '\\') at++
      else if (text[at] === '"') inside = !inside
    }
    return inside
  }
}
