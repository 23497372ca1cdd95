import type { Anchor, PartKind } from '../contract/card.ts'

/** An input for one node. */
export const anchor = <const K extends PartKind>(
  kind: K,
  label: string,
  type: string,
  options: { optional?: boolean } = {},
): Anchor<K, false> => ({ kind, label, type, list: false, ...options })

/** An input for any number of nodes, also none. */
export const anchors = <const K extends PartKind>(kind: K, label: string, type: string): Anchor<K, true> => ({
  kind,
  label,
  type,
  list: true,
  optional: true,
})
