import { isObject, type Json } from '../kit/json.ts'

/** What a name between braces stands for; undefined for one that nobody knows: its place stays as it is. */
export type Scope = (name: string) => Json | undefined

/** `{{ name }}` on one line, with any spacing, or one of the given names between single braces. */
const PLACE = /\{\{([^{}\n]+)\}\}|\{([a-z_]+)\}/g

/**
 * Puts values into the places of a text, in one pass: what comes in is never looked at again, so that a user's
 * `{{$vars.key}}` or `$&` stays what it is. In a text that is JSON, or nearly, a value within quotes is escaped, so
 * that it cannot end them.
 *
 * @param single names that prompts of chains write between single braces, `{context}`
 */
export function expand(text: string, scope: Scope, single: ReadonlySet<string> = new Set()): string {
  const quoted = looksLikeJson(text) ? quotesIn(text) : () => false
  return text.replace(PLACE, (place: string, name: string | undefined, bare: string, offset: number) => {
    const value = name !== undefined ? scope(name.trim()) : single.has(bare) ? scope(bare) : undefined
    if (value === undefined) return place
    const written = typeof value === 'string' ? value : JSON.stringify(value)
    return quoted(offset) ? JSON.stringify(written).slice(1, -1) : written
  })
}

/** Every text within a value, expanded; keys stay. */
export function expandWithin(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') return expand(value, scope)
  if (Array.isArray(value)) return value.map((inner) => expandWithin(inner, scope))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expandWithin(inner, scope)]))
}

/** The value at a dotted path, `items[0].name`. */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  const steps = path.replace(/\[(\d+)\]/g, '.$1').split('.')
  return steps.reduce<Json | undefined>((inner, step) => stepInto(inner, step), value)
}

function stepInto(value: Json | undefined, step: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
  return (value as Record<string, Json>)[step]
}

const looksLikeJson = (text: string) => /^\s*(\{(?!\{)[\s\S]*\}|\[[\s\S]*\])\s*$/.test(text)

/** Whether an offset lies within double quotes; asked for growing offsets. */
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
