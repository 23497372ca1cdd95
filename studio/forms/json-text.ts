import type { Json } from '../drawing/flow-file.ts'

export type JsonProblem = { line: number; message: string }

/** What is wrong with a JSON text, and on which line, from 1; undefined for JSON and for an empty text. */
export function jsonProblem(text: string): JsonProblem | undefined {
  if (text.trim() === '') return undefined
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const { message } = error as Error
    const position = /position (\d+)/.exec(message)?.[1]
    const line = /line (\d+)/.exec(message)?.[1]
    // Chromium names no position where the text ends too early.
    const at = position === undefined ? text.trimEnd().length : Number(position)
    return {
      line: line === undefined ? text.slice(0, at).split('\n').length : Number(line),
      message: message.replace(
        / in JSON at position.*$| \(line \d+ column \d+\)|, "[\s\S]*"\.\.\. is not valid JSON$/g,
        '',
      ),
    }
  }
}

/** A value as JSON text for a form: flow files hold JSON inputs as text and as objects. */
export function jsonTextOf(value: Json | undefined): string {
  if (value === undefined || value === null || value === '') return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
