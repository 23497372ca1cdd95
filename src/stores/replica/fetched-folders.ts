import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'

/** The folder of a copy that is not whole ends so. */
export const PARTIAL_COPY = '.partial'

/** The folder of a fetched copy of an index, below the folder of all. */
export const fetchedFolder = (folder: string, indexId: number, savedId: number): string =>
  path.join(folder, `${indexId}-${savedId}`)

/** The id of the newest fetched copy of each index that an earlier process has left, by the index. Others are deleted. */
export function fetchedCopies(folder: string): Map<number, number> {
  const newest = new Map<number, number>()
  let names: string[] = []
  try {
    names = readdirSync(folder)
  } catch {
    // Nothing was fetched yet.
  }
  for (const name of names) {
    const [, indexId, savedId] = (/^(\d+)-(\d+)$/.exec(name) ?? []).map(Number)
    if (indexId !== undefined && savedId !== undefined && savedId > (newest.get(indexId) ?? 0))
      newest.set(indexId, savedId)
  }
  const kept = new Set([...newest].map(([indexId, savedId]) => `${indexId}-${savedId}`))
  for (const name of names)
    if (!kept.has(name)) rmSync(path.join(folder, name), { recursive: true, force: true })
  return newest
}
