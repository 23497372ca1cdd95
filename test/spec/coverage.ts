import type { PENDING } from './pending.ts'
import type { Requirement } from './requirements.ts'

/** Where a test cites a row. */
export type Citation = { id: string; file: string; line: number }

/**
 * The rows that a test file cites: `[events:list]` or `[upsert:json, upsert:path]` in a text of it. Comments cite
 * nothing. Brackets that hold anything but ids of the given families are ignored.
 */
export function citationsOf(file: string, source: string, families: ReadonlySet<string>): Citation[] {
  return source.split('\n').flatMap((text, index) => {
    if (/^\s*(\/\/|\/?\*)/.test(text)) return []
    return [...text.matchAll(/\[([^\][]+)\]/g)].flatMap(([, inside]) => {
      const ids = inside!.split(/[\s,]+/).filter(Boolean)
      const cited = ids.every((id) => /^[a-z]+(:[a-z0-9-]+)+$/.test(id) && families.has(id.split(':')[0]!))
      return cited ? ids.map((id) => ({ id, file, line: index + 1 })) : []
    })
  })
}

/** The first word of every id. */
export const familiesOf = (requirements: readonly Requirement[]): Set<string> =>
  new Set(requirements.map(({ id }) => id.split(':')[0]!))

export type Coverage = {
  /** What is wrong, a line each. */
  problems: string[]
  /** The rows without a test, by the work they wait for. */
  uncited: Map<string, Requirement[]>
}

/** Holds the rows, the list of the pending ones and the citations against each other. */
export function coverage(
  requirements: readonly Requirement[],
  pending: typeof PENDING,
  citations: readonly Citation[],
): Coverage {
  const cited = new Set(citations.map(({ id }) => id))
  const waiting = new Map(pending.flatMap(({ by, ids }) => ids.map((id) => [id, by])))
  const known = new Set(requirements.map(({ id }) => id))
  const open = requirements.filter(({ id }) => !cited.has(id))
  return {
    problems: [
      ...twice(requirements.map(({ id }) => id)).map((id) => `${id} stands twice in the requirements`),
      ...twice(pending.flatMap(({ ids }) => ids)).map((id) => `${id} stands twice on the pending list`),
      ...[...waiting.keys()]
        .filter((id) => !known.has(id))
        .map((id) => `${id} is pending and is no requirement`),
      ...[...waiting.keys()]
        .filter((id) => cited.has(id))
        .map((id) => `${id} has a test: take it off the pending list`),
      ...citations
        .filter(({ id }) => !known.has(id))
        .map(({ id, file, line }) => `${file}:${line} cites ${id}, which is no requirement`),
      ...open
        .filter(({ id }) => !waiting.has(id))
        .map(({ id, sentence }) => `${id} has no test: ${sentence}`),
    ],
    uncited: Map.groupBy(open, ({ id }) => waiting.get(id) ?? 'nothing: it should have a test'),
  }
}

const twice = (ids: readonly string[]): string[] => [
  ...new Set(ids.filter((id, index) => ids.indexOf(id) !== index)),
]
