import type { FileAnswer, UpsertAnswer } from '../../../../src/api/upsert.ts'
import { countText, numberText } from '../../../parts/units.ts'
import { FATES, type FatedSource, type Job } from '../../../server/jobs.ts'
import type { LoadRequest } from './upserting.tsx'

type Changes = NonNullable<UpsertAnswer['changes']>

/** What a dry run found out. */
export type PreviewResult = {
  numAdded: number
  numUpdated: number
  numSkipped: number
  numDeleted: number
  /** How many chunks only have another place; they are among the updated or the skipped ones. */
  numMoved: number
  estimate: NonNullable<UpsertAnswer['estimate']>
  /** What the drawing does otherwise than the live one. */
  changes: Changes
  /** The files that would have to be sent again, in a sentence. */
  needed: string | undefined
  files: FileAnswer[]
  warnings: { key: string; reason: string }[]
}

/** The result of a dry run that is done; undefined of any other job. */
export function previewOf({ state, result }: Job): PreviewResult | undefined {
  if (state !== 'done' || result === null) return undefined
  const given = result as Partial<UpsertAnswer>
  const needed = given.filesNeeded?.count ?? 0
  return {
    numAdded: given.numAdded ?? 0,
    numUpdated: given.numUpdated ?? 0,
    numSkipped: given.numSkipped ?? 0,
    numDeleted: given.numDeleted ?? 0,
    numMoved: given.fates?.moved ?? 0,
    estimate: given.estimate ?? { texts: 0, tokens: 0 },
    changes: given.changes ?? [],
    needed:
      needed === 0
        ? undefined
        : `${countText(needed, 'file')} not kept, so it is not known what would change of them: ${given.filesNeeded!.names.join(', ')}`,
    files: given.files ?? [],
    warnings: given.warnings ?? [],
  }
}

/** The counts of a preview, each with its name. */
export function previewCounts(result: PreviewResult): (readonly [label: string, value: number | string])[] {
  const { tokens, price } = result.estimate
  return [
    ['Added', result.numAdded],
    ['Updated', result.numUpdated],
    ['Skipped', result.numSkipped],
    ...(result.numMoved > 0 ? [['of these moved', result.numMoved] as const] : []),
    ['Deleted', result.numDeleted],
    ['Tokens to embed', `≈ ${numberText(tokens)}`],
    ...(price ? [['Price', priceText(price)] as const] : []),
  ]
}

/** `≈ 0.02 USD`; small amounts with more digits. */
export const priceText = ({ amount, currency }: { amount: number; currency: string }): string =>
  `≈ ${amount >= 0.01 || amount === 0 ? amount.toFixed(2) : amount.toPrecision(2)} ${currency}`

/** The words of a preview, by what was previewed. `waiting`: why what it shows cannot be done now. */
export function previewWords(request: LoadRequest | undefined, files: number) {
  const { flowData, draft, refresh } = request ?? {}
  const how = flowData !== undefined ? ' with the changes that are not saved' : draft ? ' with the draft' : ''
  const unsaved = flowData === undefined ? undefined : 'Save the flow first'
  if (refresh)
    return {
      title: 'What would change',
      about: (name: string) => `What loading the documents of ${name} again would do${how}`,
      action: draft || flowData !== undefined ? 'Publish and load again' : 'Load again',
      waiting: unsaved,
    }
  return {
    title: 'Preview',
    about: (name: string) => `What an upsert into ${name} would do${how}`,
    action: files === 0 ? 'Upsert' : `Upsert ${countText(files, 'file')}`,
    waiting: unsaved ?? (draft ? 'Publish the draft first' : undefined),
  }
}

/** A value of a setting, as a person reads it. */
export const changeValue = (value: Changes[number]['from']): string =>
  value === null || value === ''
    ? 'none'
    : typeof value === 'boolean'
      ? value
        ? 'on'
        : 'off'
      : typeof value === 'string'
        ? value
        : JSON.stringify(value)

/** The fates that are offered as a filter. */
export const shownFates = FATES

/** How many chunks a source has now and would have, and of which fates: `12 → 9: 3 added, 1 deleted`. */
export function fateCounts(source: FatedSource): string {
  const counts = FATES.filter((fate) => source[fate] > 0).map((fate) => `${numberText(source[fate])} ${fate}`)
  if (counts.length === 0) return 'no chunks'
  const stay = source.updated + source.moved + source.skipped + source.unchanged
  const [before, after] = [stay + source.deleted, stay + source.added]
  const sizes = before === after || before === 0 ? '' : `${numberText(before)} → ${numberText(after)}: `
  return `${sizes}${counts.join(', ')}`
}
