import type { NodeCard } from '../contract/card.ts'

/** The nodes that are in the box, by name. */
export type Catalog = ReadonlyMap<string, NodeCard>

/** @throws Error when two cards have one name: a mistake in the list, found at start */
export function makeCatalog(cards: readonly NodeCard[]): Catalog {
  const catalog = new Map<string, NodeCard>()
  for (const card of cards) {
    if (catalog.has(card.name)) throw new Error(`two nodes are called ${card.name}`)
    catalog.set(card.name, card)
  }
  return catalog
}
