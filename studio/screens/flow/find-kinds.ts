import type { NodeKindAnswer } from '../../../src/api/node.ts'
import { AGENT_FLOWS, type NodeKinds } from '../../drawing/node-kinds.ts'

/** The node kinds of one category, in the order of the palette. */
export type KindGroup = { category: string; kinds: NodeKindAnswer[] }

/**
 * The node kinds for a flow, by category, that have every word of the search in label, name, category or description.
 * Steps are for agent flows, all others for chat flows. Kinds whose label begins with the search come first.
 */
export function findKinds(kinds: NodeKinds, search: string, agentFlow: boolean): KindGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = [...kinds.values()].filter(({ label, name, category, description }) => {
    if ((category === AGENT_FLOWS) !== agentFlow) return false
    const text = `${label} ${name} ${category} ${description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const rank = ({ label }: NodeKindAnswer) =>
    words.length > 0 && label.toLowerCase().startsWith(words[0]!) ? 0 : 1
  const groups = Map.groupBy(
    found.sort((a, b) => rank(a) - rank(b) || a.label.localeCompare(b.label)),
    ({ category }) => category,
  )
  const all = [...groups].map(([category, list]) => ({ category, kinds: list }))
  return words.length > 0 ? all : all.sort((a, b) => a.category.localeCompare(b.category))
}
