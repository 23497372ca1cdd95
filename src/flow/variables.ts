import { isObject, type Json, type JsonObject, parseJson } from '../kit/json.ts'
import type { PastMessage } from '../contract/chat-history.ts'
import type { Variables } from '../contract/variable.ts'

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

/**
 * The value at a dotted path, `items[0].name`. An index below 0 counts from the end. A list or an object that is a text, as the state
 * of a flow keeps it, is read.
 */
export function valueAtPath(value: Json | undefined, path: string): Json | undefined {
  const steps = path
    .replace(/^\./, '')
    .replace(/\[(-?\d+)\]/g, '.$1')
    .split('.')
  return steps.reduce<Json | undefined>((inner, step) => stepInto(inner, step), value)
}

function stepInto(held: Json | undefined, step: string): Json | undefined {
  const value = typeof held === 'string' && looksLikeJson(held) ? (parseJson(held) as Json | undefined) : held
  if (Array.isArray(value) && /^-\d+$/.test(step)) return value.at(Number(step))
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

/** The values of a run for `{{…}}` in its texts. */
export type RunFacts = {
  question: string
  /** The values of the form: `$form`. */
  form: JsonObject
  /** The text of the files that were sent with the question. */
  fileText: string
  /** The earlier messages of the conversation. */
  past: readonly PastMessage[]
  now: Date
  variables: Readonly<Record<string, string>>
  /** `$flow`: ids, session, and `state` in agent flows. */
  flow: JsonObject
}

/** The names for both kinds of flows: `question`, `$vars.x`, `$flow.state.y`, … */
export function flowScope(facts: RunFacts): VariableScope {
  const names: Record<string, () => Json> = {
    question: () => facts.question,
    chat_history: () => historyText(facts.past),
    file_attachment: () => facts.fileText,
    current_date_time: () => facts.now.toISOString(),
    runtime_messages_length: () => facts.past.length,
    $form: () => facts.form,
    $vars: () => facts.variables,
    $flow: () => ({ ...facts.flow, chatHistory: historyText(facts.past), input: facts.question }),
  }
  return (name) => {
    const [head, rest] = headOf(name)
    if (!Object.hasOwn(names, head)) return undefined
    const value = names[head]!()
    return rest === undefined ? value : valueAtPath(value, rest)
  }
}

/** Joins scopes: the first one with a value for a name is used. */
export const firstOf =
  (...scopes: readonly VariableScope[]): VariableScope =>
  (name) => {
    for (const scope of scopes) {
      const value = scope(name)
      if (value !== undefined) return value
    }
    return undefined
  }

/** `$flow.state.x` is `$flow` and `state.x`. */
export function headOf(name: string): [head: string, rest: string | undefined] {
  const dot = name.search(/[.[]/)
  if (dot < 0) return [name, undefined]
  return [name.slice(0, dot), name.slice(name[dot] === '.' ? dot + 1 : dot)]
}

/** A conversation as text for prompts: lines of `Human: …` and `Assistant: …`. */
export const historyText = (past: readonly PastMessage[]): string =>
  past.map(({ role, content }) => `${role === 'userMessage' ? 'Human' : 'Assistant'}: ${content}`).join('\n')

/** The values of the workspace's variables by name; those of type `runtime` are read from the environment. */
export async function variableValues(
  variables: Variables,
  environment: (name: string) => string | undefined,
): Promise<Record<string, string>> {
  const all = await variables.list()
  return Object.fromEntries(
    all.flatMap(({ name, type, value }) => {
      const found = type === 'static' ? value : environment(name)
      return found === undefined ? [] : [[name, found]]
    }),
  )
}
