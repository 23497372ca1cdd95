import type { NodeCard } from '../contract/card.ts'

/** All nodes of this server, by name. */
export type Catalog = ReadonlyMap<string, NodeCard>

/** @throws Error if two cards have the same name: a mistake in the list, found at start */
export function makeCatalog(cards: readonly NodeCard[]): Catalog {
  const catalog = new Map<string, NodeCard>()
  for (const card of cards) {
    if (catalog.has(card.name)) throw new Error(`two nodes are called ${card.name}`)
    catalog.set(card.name, card)
  }
  return catalog
}
