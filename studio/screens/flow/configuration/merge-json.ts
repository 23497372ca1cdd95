import type { Json, JsonObject } from '../../../drawing/flow-file.ts'

const isRecord = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isSame = (a: Json | undefined, b: Json | undefined): boolean =>
  JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))

/** With the members of all objects in the order of their names. */
const sorted = (value: Json | undefined): Json | undefined =>
  Array.isArray(value)
    ? value.map((one) => sorted(one) as Json)
    : isRecord(value)
      ? Object.fromEntries(
          Object.keys(value)
            .toSorted()
            .map((name) => [name, sorted(value[name]) as Json]),
        )
      : value

/**
 * Joins two changes of the same value: what was changed here wins, everything else is as it is there. Members of objects
 * and rows with a name are joined one by one, other lists as a whole.
 */
export function mergeJson(
  base: Json | undefined,
  mine: Json | undefined,
  theirs: Json | undefined,
): Json | undefined {
  if (isSame(base, mine)) return theirs
  if (isSame(base, theirs)) return mine
  if (isRecord(mine) && isRecord(theirs)) return mergeMembers(isRecord(base) ? base : {}, mine, theirs)
  if (hasNamedRows(mine) && hasNamedRows(theirs)) {
    const rows = mergeMembers(byName(hasNamedRows(base) ? base : []), byName(mine), byName(theirs))
    return Object.values(rows)
  }
  return mine
}

function mergeMembers(base: JsonObject, mine: JsonObject, theirs: JsonObject): JsonObject {
  const merged: JsonObject = {}
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(mine)])) {
    const value = mergeJson(base[name], mine[name], theirs[name])
    if (value !== undefined) merged[name] = value
  }
  return merged
}

type NamedRow = JsonObject & { name: string }

const hasNamedRows = (value: Json | undefined): value is NamedRow[] =>
  Array.isArray(value) && value.every((row) => isRecord(row) && typeof row.name === 'string')

const byName = (rows: readonly NamedRow[]): JsonObject =>
  Object.fromEntries(rows.map((row) => [row.name, row]))
