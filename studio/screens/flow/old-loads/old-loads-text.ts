import { countText } from '../../../parts/units.ts'
import type { LoadComparison } from '../../../server/refresh.ts'

/** How many differences are written out. */
const SHOWN = 3

/** What differs, a sentence for each difference; none where the documents are as the flow says. */
export function differenceTexts({ differences, embedders, next, unknownSettings }: LoadComparison): string[] {
  const texts = differences
    .slice(0, SHOWN)
    .map(
      ({ differing, summary }) =>
        `${countText(differing, 'document')} loaded with other settings: ${summary}.`,
    )
  const more = differences.slice(SHOWN).reduce((sum, { differing }) => sum + differing, 0)
  if (more > 0) texts.push(`${countText(more, 'document')} with other differences.`)
  if (next === 'reindex')
    texts.unshift(
      embedders
        ? `The documents are embedded with ${embedders.from}, and the flow embeds with ${embedders.to}.`
        : 'The vectors of the documents are in another vector engine than the flow names.',
    )
  if (unknownSettings > 0)
    texts.push(
      `Of ${countText(unknownSettings, 'document')} it is not known with which settings each was loaded.`,
    )
  return texts
}

/** The files that have to be sent again, since the server has not kept them. */
export function neededText({ filesNeeded: { count, names } }: LoadComparison): string | undefined {
  if (count === 0) return undefined
  const more = count > names.length ? ` and ${count - names.length} more` : ''
  return `${countText(count, 'file')} not kept, to be sent again: ${names.join(', ')}${more}.`
}
