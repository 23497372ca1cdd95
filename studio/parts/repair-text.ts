import type { Repair } from '../server/repair.ts'
import { countText, numberText } from './units.ts'

const sum = ({ numMissing, numSurplus, numDifferent, numDamaged }: Repair): number =>
  numMissing + numSurplus + numDifferent + numDamaged

/** Whether a comparison has found nothing. */
export const isSound = (repair: Repair): boolean => sum(repair) === 0

/** What a comparison found, in a sentence. */
export function foundText(repair: Repair): string {
  const { numChunks } = repair
  if (!isSound(repair)) return `${numberText(sum(repair))} of ${countText(numChunks, 'point')} to mend`
  if (numChunks === 0) return 'There is nothing to compare yet'
  return numChunks === 1 ? 'The one point is there' : `All ${countText(numChunks, 'point')} are there`
}

/** The kinds of differences that were found, each with its number and what it is. */
export const foundRows = ({ numMissing, numSurplus, numDifferent, numDamaged }: Repair) =>
  [
    { what: 'Missing', count: numMissing, about: 'without a point: no search by meaning finds them' },
    { what: 'Strangers', count: numSurplus, about: 'without a chunk' },
    { what: 'Different', count: numDifferent, about: 'with another text or other metadata' },
    { what: 'Damaged', count: numDamaged, about: 'with another vector than the one that was written' },
  ].filter(({ count }) => count > 0)

/** What a repair would do, after a comparison. */
export function planText({
  numMissing,
  numSurplus,
  numDifferent,
  numDamaged,
  numToEmbed = 0,
}: Repair): string {
  const writes = numMissing + numDifferent + numDamaged
  const parts = [
    ...(writes > 0 ? [`writes ${countText(writes, 'point')}`] : []),
    ...(numSurplus > 0 ? [`deletes ${countText(numSurplus, 'stranger')}`] : []),
    numToEmbed > 0 ? `embeds ${countText(numToEmbed, 'text')}` : 'embeds nothing',
  ]
  return `A repair ${parts.slice(0, -1).join(', ')}${parts.length > 1 ? ' and ' : ''}${parts.at(-1)}.`
}

/** What a repair has done, in a few words. */
export function doneText(repair: Repair): string {
  if (isSound(repair)) return foundText(repair)
  const { numWritten, numRemoved, numEmbedded, numLeft } = repair
  return [
    `${countText(numWritten, 'point')} written`,
    ...(numRemoved > 0 ? [`${numberText(numRemoved)} deleted`] : []),
    `${countText(numEmbedded, 'text')} embedded`,
    ...(numLeft > 0 ? [`${numberText(numLeft)} left`] : []),
  ].join(', ')
}

/** What a job of one of the two kinds came to. */
export const repairOutcome = (repair: Repair): string =>
  repair.dryRun ? foundText(repair) : doneText(repair)
