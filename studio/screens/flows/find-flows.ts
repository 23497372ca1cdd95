import type { FlowSummary } from '../../server/flows.ts'

export const SORTS = ['name', 'documents', 'chunks', 'upsert', 'problems', 'changed'] as const
export type FlowSort = (typeof SORTS)[number]

/** What the address of the list holds. `up` is true for the smallest or oldest first. */
export type FlowSearch = { q?: string; sort?: FlowSort; up?: boolean; deleted?: boolean }

/** Reads the search parameters of the address; what it cannot hold is left out. */
export function readFlowSearch(search: Record<string, unknown>): FlowSearch {
  const { q, sort, up, deleted } = search
  return {
    ...(q === undefined || q === '' ? {} : { q: String(q) }),
    ...(SORTS.includes(sort as FlowSort) ? { sort: sort as FlowSort } : {}),
    ...(typeof up === 'boolean' ? { up } : {}),
    ...(deleted === true ? { deleted } : {}),
  }
}

/** A click on the head of a column: the second one turns the order round. */
export function sortedBy(search: FlowSearch, sort: FlowSort): FlowSearch {
  const { sort: now = 'changed', up = startsUp(now) } = search
  return { ...search, sort, up: now === sort ? !up : startsUp(sort) }
}

/** Names begin with A; numbers and times with the largest. */
export const startsUp = (sort: FlowSort): boolean => sort === 'name'

const VALUES: Record<FlowSort, (flow: FlowSummary) => string | number> = {
  name: ({ name }) => name.toLowerCase(),
  documents: ({ documents }) => documents,
  chunks: ({ chunks }) => chunks,
  upsert: ({ lastUpsert }) => lastUpsert?.at ?? '',
  problems: ({ problemCount }) => problemCount,
  changed: ({ updatedDate }) => updatedDate,
}

/** The flows with every word of the search in their name, slug or key, in order. */
export function findFlows(
  flows: readonly FlowSummary[],
  { q = '', sort = 'changed', up = startsUp(sort) }: FlowSearch,
): FlowSummary[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const value = VALUES[sort]
  return flows
    .filter(({ name, slug, key }) => {
      const text = `${name} ${slug} ${key?.name ?? ''}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .sort((a, b) => {
      const [first, second] = [value(a), value(b)]
      const order = first < second ? -1 : first > second ? 1 : 0
      return (up ? order : -order) || a.name.localeCompare(b.name)
    })
}
