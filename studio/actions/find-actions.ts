import type { Action } from './registry.ts'

export type ActionGroup = { value: string; items: Action[] }

/** How many actions of one group are listed, with a search and without one. */
const MOST = { found: 30, atFirst: 6 }

/** Groups that are listed without a search, too, in full. */
const ALWAYS_WHOLE = ['Here', 'Go to']

/**
 * The actions with every word of the search, by group. Those whose label begins with the search come first. Without a
 * search, long groups are cut.
 */
export function findActions(actions: readonly Action[], search: string): ActionGroup[] {
  const text = search.trim().toLowerCase()
  const words = text.split(/\s+/).filter(Boolean)
  const found = actions.filter(({ label, group, words: others = '' }) => {
    const all = `${label} ${group} ${others}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
  const rank = ({ label }: Action) => (text !== '' && label.toLowerCase().startsWith(text) ? 0 : 1)
  const groups = Map.groupBy(found, ({ group }) => group)
  const cut = (group: string) =>
    words.length > 0 ? MOST.found : ALWAYS_WHOLE.includes(group) ? Number.POSITIVE_INFINITY : MOST.atFirst
  const listed = [...groups].map(([value, list]) => ({
    value,
    items: list.toSorted((a, b) => rank(a) - rank(b)).slice(0, cut(value)),
  }))
  if (words.length === 0) return listed
  // The group with the best match first; the order of groups stays otherwise.
  return listed.toSorted((a, b) => rank(a.items[0]!) - rank(b.items[0]!))
}
