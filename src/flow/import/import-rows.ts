import type { ReportRow, Severity } from '../check/report-row.ts'
import { missingAdvice } from './missing.ts'
import type { ImportReport } from './report.ts'

type Placed = { nodeId: string; label: string; path?: string; input?: string }

/**
 * What an import has changed in a flow and what the flow refers to, as rows of its report. What a check of the flow refuses is not
 * among them: see `checkFlow`.
 */
export function importRows(report: ImportReport): ReportRow[] {
  return [
    ...report.missing.map((one) => row(one, 'needed', missingText(one), adviceText(one))),
    ...report.replaced.map((one) =>
      row(one, 'changed', [`${one.name} became ${one.by}`, ...one.differs].join('. '), null),
    ),
    ...report.needless.map((one) =>
      row(one, 'dropped', `The node ${one.name} is left out. ${one.what}`, null),
    ),
    ...report.defaulted.map((one) =>
      row(one, 'changed', `The value cannot be read, the default is used: ${one.reason}`, 'Enter it again'),
    ),
    ...report.leftOut.map(
      ({ node, input }): ReportRow => ({
        nodeId: null,
        node,
        input,
        severity: 'changed',
        what: 'The export has left it out',
        instead: 'Enter it again',
      }),
    ),
    ...report.ignored.map((one) =>
      row(one, 'dropped', 'The input has no effect here: the node of this server does not have it', null),
    ),
    ...report.files.map((one) =>
      row(one, 'note', `It holds no file (${one.accepts})`, 'Choose one, or upload with each upsert'),
    ),
    ...report.credentials.map((one) =>
      row(
        one,
        'note',
        `It has no credential (${one.kinds.join(' or ')}): the key in the environment of the server is used, if there is one`,
        'Choose a credential',
      ),
    ),
    ...report.experimental.map((one) =>
      row(one, 'note', `${one.name} is experimental: it was never tested with the product itself`, null),
    ),
  ]
}

const missingText = ({ what, named }: ImportReport['missing'][number]) =>
  named === '' ? `It needs a ${what}, and the export has none` : `There is no ${what} ${named} on this server`

function adviceText({ what, named }: ImportReport['missing'][number]): string {
  const advice = missingAdvice(what, named)
  return 'hint' in advice ? advice.hint : advice.instead
}

const row = (place: Placed, severity: Severity, what: string, instead: string | null): ReportRow => ({
  nodeId: place.nodeId,
  node: place.label,
  input: [place.path, place.input].filter((part) => part !== undefined).join('.') || null,
  severity,
  what,
  instead,
})
