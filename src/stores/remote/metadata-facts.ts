import { hash } from 'node:crypto'
import type { Metadata } from '../../contract/document.ts'
import type { Point } from '../../contract/vector-engine.ts'
import { canonicalJson, isObject, type Json } from '../../kit/json.ts'

/*
 * Facts are short texts that stand beside a point: "this field has this value". An engine that can search a list of words
 * can then answer most filters exactly, with one index for all fields: also for lists, objects, null and absent fields,
 * which every engine treats in its own way.
 */

/** How many keys are kept: fields, and values that many chunks have, such as the name of their source. */
const KEPT_KEYS = 4096
/** Longer texts are seldom of several chunks. */
const LONGEST_KEPT = 300

/** Keys that were made, by what they stand for. */
const keys = new Map<string, string>()

/** A short text that stands for a field, or for a field with a value: 84 bits of its SHA-256. */
export function factKey(field: string, value?: Json): string {
  const text =
    value === undefined
      ? JSON.stringify([field])
      : typeof value === 'object'
        ? canonicalJson([field, value])
        : JSON.stringify([field, value])
  const known = keys.get(text)
  if (known !== undefined) return known
  const key = hash('sha256', text, 'base64url').slice(0, 14)
  if (text.length <= LONGEST_KEPT) {
    if (keys.size === KEPT_KEYS) keys.clear()
    keys.set(text, key)
  }
  return key
}

const factOf = (kind: string, field: string, value?: Json): string => kind + factKey(field, value)

/** The field exists. */
export const existsFact = (field: string): string => factOf('h', field)
/** The field has this value. */
export const valueFact = (field: string, value: Json): string => factOf('e', field, value)
/** The field is a list with this element. */
export const elementFact = (field: string, element: Json): string => factOf('c', field, element)
/** The field is a text. */
export const textFact = (field: string): string => factOf('s', field)

/** A run has written the point. It is no fact of the metadata. */
const runFact = (run: number): string => `r${run}`

/** The facts of a point: those of its metadata, and its run where it has one. */
export const factsOfPoint = ({ metadata, run }: Pick<Point, 'metadata' | 'run'>): string[] =>
  run === undefined ? factsOf(metadata) : [...factsOf(metadata), runFact(run)]

/** Facts that an engine has kept, without the run: how a point was written does not tell whether it is right. */
export const factsOfMetadata = (facts: unknown): Json =>
  Array.isArray(facts) ? facts.filter((fact) => !String(fact).startsWith('r')) : ((facts ?? null) as Json)

/** The facts of runs; points that have one of them are left out. */
export const runFacts = (runs: readonly number[]): string[] => runs.map(runFact)

/** The facts of metadata, each once. Fields have the names that filters give them: dotted paths. */
export function factsOf(metadata: Metadata): string[] {
  const facts = new Set<string>()
  for (const [field, value] of fieldsOf(metadata)) {
    facts.add(existsFact(field)).add(valueFact(field, value))
    if (typeof value === 'string') facts.add(textFact(field))
    if (Array.isArray(value)) for (const element of value) facts.add(elementFact(field, element))
  }
  return [...facts]
}

/**
 * All fields that a filter can name, with their values. As in `vector/matches.ts`, a key that contains dots itself takes
 * precedence over a path; such a key inside an object cannot be named.
 */
export function fieldsOf(metadata: Metadata): Map<string, Json> {
  const fields = new Map<string, Json>()
  const collect = (object: Record<string, unknown>, prefix: string): void => {
    for (const [key, value] of Object.entries(object)) {
      if (value === undefined || (prefix !== '' && key.includes('.'))) continue
      fields.set(`${prefix}${key}`, value as Json)
      if (isObject(value) && (prefix !== '' || !key.includes('.'))) collect(value, `${prefix}${key}.`)
    }
  }
  collect(metadata, '')
  for (const [key, value] of Object.entries(metadata)) if (key.includes('.')) fields.set(key, value)
  return fields
}
