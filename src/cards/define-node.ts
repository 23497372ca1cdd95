import type { Anchors, CardDeclaration, NodeCard, PartKind } from '../contract/card.ts'
import type { Fields } from '../contract/field.ts'

/** Declares a node; the types of `values` and `parts` follow from its fields and anchors. */
export function defineNode<const K extends PartKind, const F extends Fields, const A extends Anchors>(
  card: CardDeclaration<K, F, A>,
): NodeCard<K> {
  return card as unknown as NodeCard<K>
}
