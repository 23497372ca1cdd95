import type { DrawnNode } from './graph.ts'
import { changedValues, type UsedValue, usedValues } from './value-text.ts'

/** How many lines of values a card has: its main inputs, and others that differ from their defaults. */
const MOST = 3

/** An iteration is drawn as a frame, in which other steps stand. */
export const isFrame = ({ kind }: Pick<DrawnNode, 'kind'>): boolean => kind.name === 'iterationAgentflow'

/** The values on the card of a node: its main inputs, in a part also others that differ from their defaults. */
export function cardLines(node: DrawnNode): UsedValue[] {
  if (node.shape === 'note' || isFrame(node)) return []
  const main = usedValues(node).filter(({ isMain }) => isMain)
  if (node.shape === 'step') return main
  const names = new Set(main.map(({ name }) => name))
  const changed = changedValues(node, MOST + main.length).filter(({ name }) => !names.has(name))
  return [
    ...main,
    ...changed.slice(0, MOST - main.length).map((line) => ({ ...line, isDefault: false, isMain: false })),
  ]
}
