import type { FileAnswer, UpsertAnswer } from '../../../../src/api/upsert.ts'
import { numberText } from '../../../parts/units.ts'
import { FATES, type FatedSource, type Job } from '../../../server/jobs.ts'

/** What a dry run found out. */
export type PreviewResult = {
  numAdded: number
  numUpdated: number
  numSkipped: number
  numDeleted: number
  estimate: { texts: number; tokens: number }
  files: FileAnswer[]
  warnings: { key: string; reason: string }[]
}

/** The result of a dry run that is done; undefined of any other job. */
export function previewOf({ state, result }: Job): PreviewResult | undefined {
  if (state !== 'done' || result === null) return undefined
  const given = result as Partial<UpsertAnswer>
  return {
    numAdded: given.numAdded ?? 0,
    numUpdated: given.numUpdated ?? 0,
    numSkipped: given.numSkipped ?? 0,
    numDeleted: given.numDeleted ?? 0,
    estimate: given.estimate ?? { texts: 0, tokens: 0 },
    files: given.files ?? [],
    warnings: given.warnings ?? [],
  }
}

/** The fates that are offered as a filter. */
export const shownFates = FATES

/** How many chunks of a source have which fate: `3 added, 1 deleted`. */
export function fateCounts(source: FatedSource): string {
  const counts = FATES.filter((fate) => source[fate] > 0).map((fate) => `${numberText(source[fate])} ${fate}`)
  return counts.join(', ') || 'no chunks'
}
