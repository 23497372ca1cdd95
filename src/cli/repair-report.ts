import type { RepairAnswer } from '../api/repair.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'
import { counted, readableTime } from './units.ts'
import { warningLines } from './upsert-report.ts'

/** The result of a repair as a text: what differed, the ids of the first, what was done, and what is left with the reason. */
export function repairReport(answer: RepairAnswer, paint: Paint): string {
  const { numChunks, numPoints, numUnchecked, first, warnings, timeTaken } = answer
  const kinds = [
    ['missing', answer.numMissing, first.missing],
    ['too many', answer.numSurplus, first.surplus],
    ['different', answer.numDifferent, first.different],
    ['damaged vectors', answer.numDamaged, first.damaged],
  ] as const
  const found = kinds.filter(([, count]) => count > 0)
  const points = `${counted(numPoints, 'point')} compared with ${counted(numChunks, 'chunk')} in ${readableTime(timeTaken)}`
  return [
    ...warningLines(warnings, paint),
    `${paint('bold', found.length === 0 ? 'All points are there' : found.map(([what, count]) => `${figure(count)} ${what}`).join(', '))}: ${points}\n`,
    ...found.map(
      ([what, count, ids]) => `${what}: ${printable(ids.join(' '))}${count > ids.length ? ' …' : ''}\n`,
    ),
    ...(numUnchecked > 0
      ? [
          `the vectors of ${counted(numUnchecked, 'point')} were not compared: an earlier version has written them\n`,
        ]
      : []),
    ...(found.length > 0 ? [done(answer)] : []),
    ...(answer.why === null ? [] : [paint('red', `${printable(answer.why)}\n`)]),
  ].join('')
}

function done({ dryRun, numToEmbed, numWritten, numRemoved, numEmbedded, numLeft }: RepairAnswer): string {
  if (dryRun) return `a repair embeds ${counted(numToEmbed ?? 0, 'text')}\n`
  const left = numLeft > 0 ? `, ${figure(numLeft)} left` : ''
  return `${counted(numWritten, 'point')} written, ${figure(numRemoved)} removed, ${counted(numEmbedded, 'text')} embedded${left}\n`
}

const figure = (count: number): string => count.toLocaleString('en')
