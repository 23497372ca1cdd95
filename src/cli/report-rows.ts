import type { ReportRowAnswer } from '../api/flow-report.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'

const TITLES: Readonly<Record<ReportRowAnswer['severity'], string>> = {
  unsupported: 'Not supported: the flow cannot run with it',
  needed: 'Needed before it runs',
  changed: 'Changed',
  dropped: 'Without effect here',
  note: 'Notes',
}

/** Prints the rows of a report under a title for each severity, each with what to do or to use instead. */
export function printReportRows(
  rows: readonly ReportRowAnswer[],
  write: (text: string) => void,
  paint: Paint,
): void {
  for (const [severity, title] of Object.entries(TITLES)) {
    const lines = rows.filter((row) => row.severity === severity)
    if (lines.length === 0) continue
    write(`\n${paint('bold', title)}\n`)
    for (const { node, input, what, instead } of lines) {
      const place = [node, input].filter((part) => part !== null).join(' › ')
      write(`  ${printable(place === '' ? what : `${place}: ${what}`)}\n`)
      if (instead !== null) write(`    ${printable(instead)}\n`)
    }
  }
}

/** The gravest row in one line, and how many more keep the flow from running; empty for a flow that runs. */
export function whyNot(rows: readonly ReportRowAnswer[]): string {
  const [first, ...others] = rows.filter(
    ({ severity }) => severity === 'unsupported' || severity === 'needed',
  )
  if (!first) return ''
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  return `${first.what}${more}`
}
