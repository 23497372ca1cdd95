import type { Document } from '../contract/document.ts'
import type { ParsedBatch, ParseOptions } from '../contract/file-parser.ts'
import type { Json } from '../kit/json.ts'

/** A binary value, which is skipped. */
export const BINARY = Symbol('binary')

/** A value of a row of a database; null is left out. */
export type Cell = Json | typeof BINARY

type Dropped = NonNullable<ParsedBatch['dropped']>[number]

export type RowColumns = {
  /** The document of a row, whose text may be empty. */
  document(row: readonly Cell[]): Document
  /** What was left out of all rows so far. */
  skipped(): { note: string | undefined; dropped: Dropped[] }
}

/**
 * Which columns of a row become its text, a line `name: value` each, or only the value of the only one; and which its metadata.
 *
 * @param names the columns of the query
 * @throws Error for a query without columns, and for a name that is not one of them
 */
export function rowColumns(
  names: readonly string[],
  { contentColumns, metadataColumns = [] }: Pick<ParseOptions, 'contentColumns' | 'metadataColumns'>,
): RowColumns {
  if (names.length === 0) throw new Error('the query returns no rows')
  const places = (wanted: readonly string[]) =>
    wanted.map((name) => {
      const place = names.indexOf(name)
      if (place < 0) throw new Error(`the query returns no column ${name}`)
      return place
    })
  const content = contentColumns?.length ? places(contentColumns) : [...names.keys()]
  const facts = places(metadataColumns)
  const bare = contentColumns?.length === 1
  const binary = new Map<string, number>()

  return {
    document(row) {
      const known = (place: number): [name: string, value: Json][] => {
        const value = row[place]!
        if (value === BINARY) binary.set(names[place]!, (binary.get(names[place]!) ?? 0) + 1)
        return value === null || value === BINARY ? [] : [[names[place]!, value]]
      }
      const lines = content
        .flatMap(known)
        .map(([name, value]) => (bare ? textOf(value) : `${name}: ${textOf(value)}`))
      return { pageContent: lines.join('\n'), metadata: Object.fromEntries(facts.flatMap(known)) }
    },
    skipped: () => ({
      note: binary.size > 0 ? `binary values were skipped, in ${[...binary.keys()].join(', ')}` : undefined,
      dropped: [...binary].map(([column, count]) => ({
        kind: 'skippedValue',
        count,
        place: { part: column },
      })),
    }),
  }
}

const textOf = (value: Json) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
