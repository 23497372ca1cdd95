import type { Json } from '../drawing/flow-file.ts'

/** What a number input stores: a number, an empty text for the default, or the text that is not a number yet. */
export function numberOfText(text: string): number | string {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  const value = Number(trimmed)
  return Number.isFinite(value) ? value : text
}

type Bounds = { min?: number | undefined; max?: number | undefined; whole?: boolean | undefined }

/** What is wrong with a value of a number input; flow files hold numbers as numbers and as text. */
export function numberProblem(value: Json | undefined, { min, max, whole }: Bounds = {}): string | undefined {
  if (value === undefined || value === null || value === '') return undefined
  const number = typeof value === 'string' ? numberOfText(value) : value
  if (typeof number !== 'number') return 'This is not a number'
  if (whole && !Number.isInteger(number)) return 'This is not a whole number'
  if (min !== undefined && number < min) return `The least is ${min}`
  if (max !== undefined && number > max) return `The most is ${max}`
  return undefined
}
