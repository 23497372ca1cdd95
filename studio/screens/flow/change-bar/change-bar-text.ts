import { agoText, countText } from '../../../parts/units.ts'
import type { DraftState } from '../../../server/drafts.ts'
import type { LoadComparison } from '../../../server/refresh.ts'
import { neededText } from '../old-loads/old-loads-text.ts'

/** How many characters of what differs are written out. */
const LONGEST = 160

/** What the bar says: the sentence of what is not live or not loaded, and what belongs to it. */
export type ChangeText = { text: string; details: string[] }

/**
 * What of a flow is not live, or not in its documents yet; undefined where there is nothing to say.
 *
 * @param compared the documents compared with the draft, or without one with the live flow; undefined where that is not known
 */
export function changeText(
  { draft, summary, revision }: Pick<DraftState, 'draft' | 'summary' | 'revision'>,
  compared: LoadComparison | undefined,
): ChangeText | undefined {
  const loads = compared && compared.next !== null ? compared : undefined
  if (!draft && !loads) return undefined
  const details: string[] = []
  if (draft) {
    details.push(`Draft of revision ${draft.base} by ${draft.savedBy}, ${agoText(draft.savedAt)}.`)
    if (draft.stale) details.push(`The live drawing was changed since: its revision is ${revision}.`)
  }
  const needed = loads && loads.next !== 'reindex' ? neededText(loads) : undefined
  if (needed !== undefined) details.push(needed)
  if (loads && loads.unknownSettings > 0)
    details.push(
      `Of ${countText(loads.unknownSettings, 'document')} it is not known with which settings each was loaded.`,
    )
  return { text: draft ? draftText(summary, loads) : loadsText(loads!), details }
}

function draftText(summary: string, loads: LoadComparison | undefined): string {
  if (summary === '') return 'The draft does the same as the live flow.'
  const documents = loads?.differing
    ? `, and not in ${countText(loads.differing, 'loaded document')} yet`
    : ''
  return `${cut(summary)} is not live${documents}.`
}

function loadsText({ next, embedders, differing, differences }: LoadComparison): string {
  if (next === 'reindex')
    return embedders
      ? `The documents are embedded with ${embedders.from}, and the flow embeds with ${embedders.to}.`
      : 'The vectors of the documents are in another vector engine than the flow names.'
  const [first, ...others] = differences
  if (!first) return `${countText(differing, 'document')} loaded with other settings.`
  const more = others.length > 0 ? ` (and ${countText(others.length, 'other difference')})` : ''
  return `${cut(first.summary)}${more} is not in ${countText(differing, 'loaded document')} yet.`
}

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text)
