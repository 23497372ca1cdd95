import type { Json } from '../drawing/flow-file.ts'

/** What a number input stores: a number, an empty text for the default, or the text that is not a number yet. */
export function numberOfText(text: string): number | string {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  const value = Number(trimmed)
  return Number.isFinite(value) ? value : text
}

type Bounds = { min?: number | undefined; max?: number | undefined; whole?: boolean | undefined }

/** What is wrong with a value of a number input, in the words of the server. A variable is known when the flow runs. */
export function numberProblem(value: Json | undefined, { min, max, whole }: Bounds = {}): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value === 'string' && value.includes('{{')) return undefined
  const number = typeof value === 'string' ? numberOfText(value) : value
  if (typeof number !== 'number') return `expected a number, received ${JSON.stringify(value)}`
  if (whole && !Number.isInteger(number)) return `expected a whole number, received ${number}`
  if (min !== undefined && number < min) return `expected at least ${min}, received ${number}`
  if (max !== undefined && number > max) return `expected at most ${max}, received ${number}`
  return undefined
}
