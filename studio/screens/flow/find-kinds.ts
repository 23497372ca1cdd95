import type { NodeKindAnswer } from '../../../src/api/node.ts'
import { AGENT_FLOWS, isPlug, type NodeKinds } from '../../drawing/node-kinds.ts'

/** The node kinds of one category, in the order of the palette; `inputs` are those for which a kind was found, by its name. */
export type KindGroup = { category: string; kinds: NodeKindAnswer[]; inputs: ReadonlyMap<string, string> }

/**
 * The node kinds for a flow, by category, that have every word of the search in label, name, category or description,
 * and after them those that have an input with these words in its label. Steps are for agent flows, all others for chat
 * flows. Kinds whose label begins with the search come first.
 */
export function findKinds(kinds: NodeKinds, search: string, agentFlow: boolean): KindGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const inputs = new Map<string, string>()
  const found = [...kinds.values()].filter((kind) => {
    const { label, name, category, description } = kind
    if ((category === AGENT_FLOWS) !== agentFlow) return false
    if (hasWords(`${label} ${name} ${category} ${description}`, words)) return true
    const input = kind.inputs.find((one) => !isPlug(one) && !one.hidden && hasWords(one.label, words))
    if (input) inputs.set(name, input.label)
    return input !== undefined
  })
  const rank = ({ label, name }: NodeKindAnswer) =>
    inputs.has(name) ? 2 : words.length > 0 && label.toLowerCase().startsWith(words[0]!) ? 0 : 1
  const groups = Map.groupBy(
    found.sort((a, b) => rank(a) - rank(b) || a.label.localeCompare(b.label)),
    ({ category }) => category,
  )
  const all = [...groups].map(([category, list]) => ({ category, kinds: list, inputs }))
  return words.length > 0 ? all : all.sort((a, b) => a.category.localeCompare(b.category))
}

const hasWords = (text: string, words: readonly string[]): boolean => {
  const lower = text.toLowerCase()
  return words.every((word) => lower.includes(word))
}
