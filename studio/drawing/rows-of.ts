import type { Json } from './flow-file.ts'

/** A list, or the same as JSON text; empty for anything else. */
export function rowsOf(value: Json | undefined): Json[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string' || value === '') return []
  try {
    const parsed: unknown = JSON.parse(value)
    return Array.isArray(parsed) ? (parsed as Json[]) : []
  } catch {
    return []
  }
}
