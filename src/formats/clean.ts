import type { DocumentPart } from '../contract/document.ts'
import { isObject, type Json } from '../kit/json.ts'

/** A part as every later stage can store it: texts and metadata without NULs, and of whole characters. */
export function cleanPart(part: DocumentPart): DocumentPart {
  const pageContent = cleanText(part.pageContent)
  return { ...part, pageContent, metadata: cleanJson(part.metadata) as DocumentPart['metadata'] }
}

/** Takes out NULs, and makes halves of surrogate pairs U+FFFD. */
export function cleanText(text: string): string {
  const whole = text.includes('\0') ? text.replaceAll('\0', '') : text
  return whole.isWellFormed() ? whole : whole.toWellFormed()
}

function cleanJson(value: Json): Json {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanJson)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [cleanText(key), cleanJson(child)]))
}
