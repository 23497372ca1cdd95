import type { Json } from '../drawing/flow-file.ts'

/** What a number input stores: a number, an empty text for the default, or the text that is not a number yet. */
export function numberOfText(text: string): number | string {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  const value = Number(trimmed)
  return Number.isFinite(value) ? value : text
}

/** What is wrong with a value of a number input; flow files hold numbers as numbers and as text. */
export function numberProblem(value: Json | undefined): string | undefined {
  if (value === undefined || value === null || value === '' || typeof value === 'number') return undefined
  return typeof value === 'string' && typeof numberOfText(value) === 'number'
    ? undefined
    : 'This is not a number'
}
