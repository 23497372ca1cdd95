import type { FileAnswer, UpsertAnswer } from '../api/upsert.ts'
import { groupFailures } from '../kit/file-reason.ts'
import { Failure } from './failure.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'
import { type Column, table } from './table.ts'
import { counted, readableTime } from './units.ts'

const STATUS_STYLE = { indexed: 'green', unchanged: 'dim', empty: 'yellow', failed: 'red' } as const

const COLUMNS: Column<FileAnswer>[] = [
  { title: 'file', value: (file) => file.name },
  { title: 'status', value: (file) => file.status, style: (file) => STATUS_STYLE[file.status] },
  { title: 'chunks', value: (file) => file.chunks, right: true },
  { title: 'added', value: (file) => file.added, right: true },
  { title: 'updated', value: (file) => file.updated, right: true },
  { title: 'skipped', value: (file) => file.skipped, right: true },
  { title: 'deleted', value: (file) => file.deleted, right: true },
]

/** The result of an upsert as a text: a row per file, those that failed first; the reasons of failures, warnings, the sums. */
export function upsertReport(answer: UpsertAnswer, paint: Paint): string {
  const { files = [], warnings = [], timeTaken } = answer
  const sums = [
    `${answer.numAdded} added`,
    `${answer.numUpdated ?? 0} updated`,
    `${answer.numSkipped ?? 0} skipped`,
    `${answer.numDeleted ?? 0} deleted`,
    ...(answer.numOutdated ? [paint('yellow', `${answer.numOutdated} outdated`)] : []),
    ...(answer.numFailed ? [paint('red', `${answer.numFailed} failed`)] : []),
    ...(answer.numEmpty ? [`${answer.numEmpty} empty`] : []),
  ].join(', ')
  return [
    files.length > 0 ? `${table(failedFirst(files), COLUMNS, paint)}\n` : '',
    ...failureLines(answer, paint),
    ...droppedLines(files, paint),
    ...warningLines(warnings, paint),
    `${paint('bold', sums)}${timeTaken === undefined ? '' : ` in ${readableTime(timeTaken)}`}\n`,
    answer.dryRun ? 'This was a dry run: nothing was written.\n' : '',
  ].join('')
}

export const warningLines = (warnings: NonNullable<UpsertAnswer['warnings']>, paint: Paint): string[] =>
  warnings.map(({ key, reason }) => `${paint('yellow', 'warning')}  ${printable(`${key}: ${reason}`)}\n`)

/** How many files the report names with what was left out of them. */
const NAMED = 10

/** What was left out of files, a line each: of more than a few files how many there are. */
function droppedLines(files: readonly FileAnswer[], paint: Paint): string[] {
  const told = files.filter(({ dropped = [] }) => dropped.length > 0)
  const line = (text: string) => `${paint('dim', 'left out')} ${printable(text)}\n`
  const named = told
    .slice(0, NAMED)
    .map(({ name, dropped = [] }) => line(`${name}: ${dropped.map(({ text }) => text).join(', ')}`))
  return told.length > NAMED ? [...named, line(`of ${told.length - NAMED} more files`)] : named
}

const failedFirst = (files: readonly FileAnswer[]): FileAnswer[] =>
  files.toSorted((a, b) => Number(b.status === 'failed') - Number(a.status === 'failed'))

/** A line for each reason: the name of its file, or how many files have it. */
const failureLines = (answer: UpsertAnswer, paint: Paint): string[] =>
  [...groupFailures(failedFiles(answer)).values()].map(({ code, reason, files, names }) => {
    const who = files === 1 ? names[0]! : counted(files, 'file')
    return `${paint('red', 'failed')}   ${printable(`${who}: ${reason}${code ? ` (${code})` : ''}`)}\n`
  })

const failedFiles = ({ files = [] }: UpsertAnswer): FileAnswer[] =>
  files.filter((file) => file.status === 'failed')

/** @throws Failure with the names of the failed files, if there are any */
export function throwOnFailedFiles(answer: UpsertAnswer, hint?: string): void {
  const failed = failedFiles(answer)
  if (failed.length === 0) return
  const names = failed.slice(0, 20).map(({ name }) => name)
  const more = failed.length > names.length ? ` and ${failed.length - names.length} more` : ''
  throw new Failure(`${counted(failed.length, 'file')} failed: ${names.join(', ')}${more}`, hint)
}
