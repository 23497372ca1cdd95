import type { FileOutcome } from './outcome.ts'

/** How many names of files a warning has. */
const NAMED = 3

/** The warning of a run that leaves chunks of earlier versions; undefined where it leaves none. */
export function outdatedWarning(
  outcomes: readonly FileOutcome[],
  hasRecordManager: boolean,
): string | undefined {
  const files = outcomes.filter(({ outdated = 0 }) => outdated > 0)
  if (files.length === 0) return undefined
  const count = files.reduce((sum, { outdated = 0 }) => sum + outdated, 0)
  const names = files.slice(0, NAMED).map(({ name }) => name)
  if (files.length > NAMED) names.push(`${files.length - NAMED} more`)
  const chunks = count === 1 ? '1 chunk of an earlier version' : `${count} chunks of earlier versions`
  const stays = count === 1 ? 'stays and is' : 'stay and are'
  const way = hasRecordManager
    ? 'Set Cleanup of the record manager to incremental'
    : 'Add a record manager with the cleanup incremental'
  return `${chunks} of ${names.join(', ')} ${stays} still found. ${way} and load the files again`
}
