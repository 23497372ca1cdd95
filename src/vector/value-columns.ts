import type { Metadata } from '../contract/document.ts'
import type { Json } from '../kit/json.ts'

/**
 * The values of some chunks at one key of their metadata as bytes: how long the values are (uint32), the values as a JSON
 * list, each once, and for each chunk the place of its value in the list plus one, 0 where it has none: one byte a chunk
 * where there are fewer than 256 values, else two. Without these numbers all chunks have the one value of the list.
 */
export type ValueColumn = { values: Json[]; places: Uint8Array | Uint16Array | undefined }

/** The columns of some chunks by key; null for one that is too large to be kept. Without `complete` there are more keys. */
export type EncodedColumns = { columns: Map<string, Uint8Array | null>; complete: boolean }

/** The most keys that have a column. */
const MOST_KEYS = 64
/** The most characters of the values of a column for each chunk: the values of longer ones are read one by one. */
const MOST_CHARACTERS = 64
/** The most chunks of a column: their places take two bytes. */
export const MOST_ROWS = 2 ** 16 - 2

type Collected = {
  /** The place of each value that is no object or list, and of the JSON text of each that is. */
  places: Map<Json, number>
  objects: Map<string, number>
  texts: string[]
  rows: Uint16Array
  characters: number
}

/** The columns of the metadata of some chunks, at most {@link MOST_ROWS}. */
export function encodeColumns(all: readonly Metadata[]): EncodedColumns {
  const found = new Map<string, Collected | null>()
  let complete = true
  for (let row = 0; row < all.length; row++) {
    const metadata = all[row]!
    for (const key in metadata) {
      let column = found.get(key)
      if (column === null) continue
      if (column === undefined) {
        if (found.size === MOST_KEYS) {
          complete = false
          continue
        }
        column = {
          ...{ places: new Map(), objects: new Map(), texts: [] },
          ...{ rows: new Uint16Array(all.length), characters: 0 },
        }
        found.set(key, column)
      }
      column.rows[row] = placeOf(column, metadata[key]!)
      if (column.characters > MOST_CHARACTERS * all.length) found.set(key, null)
    }
  }
  const columns = new Map(Array.from(found, ([key, column]) => [key, column && bytesOf(column)]))
  return { columns, complete }
}

function placeOf(column: Collected, value: Json): number {
  if (typeof value !== 'object') {
    const known = column.places.get(value)
    if (known !== undefined) return known
    const place = addText(column, JSON.stringify(value))
    column.places.set(value, place)
    return place
  }
  const text = JSON.stringify(value)
  const known = column.objects.get(text)
  if (known !== undefined) return known
  const place = addText(column, text)
  column.objects.set(text, place)
  return place
}

function addText(column: Collected, text: string): number {
  column.characters += text.length
  return column.texts.push(text)
}

function bytesOf({ texts, rows }: Collected): Uint8Array {
  const values = Buffer.from(`[${texts.join(',')}]`)
  const head = Buffer.from(Uint32Array.of(values.length).buffer)
  if (texts.length === 1 && !rows.includes(0)) return Buffer.concat([head, values])
  const places = texts.length < 256 ? Uint8Array.from(rows) : new Uint8Array(rows.buffer)
  return Buffer.concat([head, values, places])
}

/** Reads the column of so many chunks. */
export function decodeColumn(bytes: Uint8Array, rows: number): ValueColumn {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
  const values = JSON.parse(Buffer.from(bytes.subarray(4, 4 + length)).toString()) as Json[]
  const rest = new Uint8Array(bytes.subarray(4 + length))
  if (rest.length === 0 && rows > 0) return { values, places: undefined }
  return { values, places: values.length < 256 ? rest : new Uint16Array(rest.buffer) }
}
