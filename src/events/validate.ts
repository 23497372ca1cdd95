import { isObject } from '../kit/json.ts'
import type { EventDetails } from './event.ts'

/** The input of a create or an update, or the sentence that refuses it. `id` is undefined where the body has none. */
export type EventInput = { id: string | undefined; details: EventDetails } | { error: string }

const FIELDS = ['name', 'date', 'location'] as const

const DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z?$/

/**
 * Reads the body of a create or an update. A falsy field counts as missing, unknown fields are ignored, and a body that is
 * not an object has no fields. The order of the checks: missing fields, date, types. Of a date only the form is checked,
 * not the calendar.
 */
export function readEventInput(body: unknown): EventInput {
  const fields = isObject(body) ? body : {}
  const missing = FIELDS.filter((field) => !fields[field])
  if (missing.length > 0) return { error: `Missing required fields: ${missing.join(', ')}` }

  const { name, date, location } = fields
  if (typeof date !== 'string' || !DATE.test(date))
    return { error: 'Date must be in ISO 8601 format (YYYY-MM-DDTHH:mm:ssZ)' }
  if (typeof name !== 'string' || typeof location !== 'string') {
    const wrong = FIELDS.filter((field) => typeof fields[field] !== 'string')
    return { error: `Fields must be strings: ${wrong.join(', ')}` }
  }
  return { id: idOf(fields.id), details: { name, date, location } }
}

/** Ids are texts: a number becomes its decimal digits, any other truthy value becomes JSON. */
function idOf(value: unknown): string | undefined {
  if (!value) return undefined
  if (typeof value === 'string') return value
  return typeof value === 'number' ? decimal(value) : JSON.stringify(value)
}

function decimal(value: number): string {
  const text = String(value)
  if (!text.includes('e')) return text
  return value.toLocaleString('en-US', { useGrouping: false, maximumSignificantDigits: 17 })
}
