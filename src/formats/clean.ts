import type { DocumentPart } from '../contract/document.ts'
import { isObject, type Json } from '../kit/json.ts'

/** A part that every later stage can store: no NUL and no lone surrogate in text and metadata. */
export function cleanPart(part: DocumentPart): DocumentPart {
  const pageContent = cleanText(part.pageContent)
  return { ...part, pageContent, metadata: cleanJson(part.metadata) as DocumentPart['metadata'] }
}

/** Removes NULs and replaces lone surrogates by U+FFFD. */
export function cleanText(text: string): string {
  const withoutNuls = text.includes('\0') ? text.replaceAll('\0', '') : text
  return withoutNuls.isWellFormed() ? withoutNuls : withoutNuls.toWellFormed()
}

function cleanJson(value: Json): Json {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanJson)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [cleanText(key), cleanJson(child)]))
}
