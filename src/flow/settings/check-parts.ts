import type { FlowContext, PartKind } from '../../contract/card.ts'
import { reasonOf, SluiceError } from '../../kit/errors.ts'
import { readValues } from '../assemble.ts'
import type { Target } from './targets.ts'

/** Kinds of nodes without anchors that need no services: building one checks that its values fit together. */
const BUILDABLE_KINDS: readonly PartKind[] = ['splitter', 'recordManager']

/**
 * Builds the nodes whose inputs were set, so that values which do not fit together are refused at once.
 *
 * @param touched the nodes, each with the key that set it
 * @throws SluiceError `setting_invalid`, such as for an overlap that is not smaller than the size
 */
export function checkParts(touched: ReadonlyMap<Target, string>, context: FlowContext): void {
  for (const [{ card, nodeId, label, inputs }, key] of touched) {
    if (!BUILDABLE_KINDS.includes(card.kind)) continue
    const node = { id: nodeId, name: card.name, label, category: card.category, inputs }
    try {
      card.build({ values: readValues(card, node), parts: {} }, { ...context, nodeId })
    } catch (error) {
      throw new SluiceError('setting_invalid', { key, reason: reasonOf(error) }, { cause: error })
    }
  }
}
