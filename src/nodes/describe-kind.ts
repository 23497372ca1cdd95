import type { NodeCard } from '../contract/card.ts'
import { drawAnchors, drawFacts, formParams } from '../flow/draw-card.ts'
import { lookOfCategory } from './category-looks.ts'

/** A kind of node with everything that an editor of flows needs: texts, icon, inputs for a form, ways out. */
export const describeKind = (card: NodeCard) => ({
  part: card.kind,
  ...drawFacts(card),
  ...lookOfCategory(card.category),
  ...(card.icon === undefined ? {} : { icon: card.icon }),
  inputs: [...drawAnchors(card), ...formParams(card)],
  outputs: [...(card.outputs ?? [{ label: card.type }])],
})
