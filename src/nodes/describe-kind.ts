import type { NodeCard } from '../contract/card.ts'
import { drawAnchors, drawFacts, formParams } from '../flow/draw-card.ts'
import { UNMET } from '../flow/unmet.ts'
import { lookOfCategory } from './category-looks.ts'

/** A kind of node with everything that an editor of flows needs: texts, icon, inputs for a form, ways out. */
export const describeKind = (card: NodeCard) => ({
  part: card.kind,
  ...drawFacts(card),
  ...lookOfCategory(card.category),
  ...(card.icon === undefined ? {} : { icon: card.icon }),
  ...(card.experimental
    ? { badge: 'EXPERIMENTAL', description: `${card.description}. Experimental: ${UNMET}` }
    : {}),
  inputs: [...drawAnchors(card), ...formParams(card)],
  outputs: [...(card.outputs ?? [{ label: card.type }])],
})
