import type { Json, JsonObject } from '../../kit/json.ts'

/** A text of at most so many characters; a longer one ends with how long it was. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  return `${text.slice(0, maxLength)}… (cut: it has ${text.length.toLocaleString('en')} characters)`
}

/** The same value with its texts cut. */
export function withCutTexts(value: Json, maxLength: number): Json {
  if (typeof value === 'string') return cutText(value, maxLength)
  if (Array.isArray(value)) return value.map((item) => withCutTexts(item, maxLength))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withCutTexts(item, maxLength)]),
  ) as JsonObject
}

/** The maximum lengths of a text to try, one after another, in characters. */
const TEXT_LENGTHS = [4000, 400, 40]

/**
 * Rows whose JSON has at most so many characters: their texts are cut more and more, and at last only what is bare stays.
 *
 * @param bare a row without what can be long
 */
export function withinLength<Row extends object>(
  rows: Row[],
  maxLength: number,
  bare: (row: Row) => Row,
): Row[] {
  if (JSON.stringify(rows).length <= maxLength) return rows
  for (const length of TEXT_LENGTHS) {
    const cut = rows.map((row) => withCutTexts(row as unknown as Json, length) as unknown as Row)
    if (JSON.stringify(cut).length <= maxLength) return cut
  }
  return rows.map(bare)
}
