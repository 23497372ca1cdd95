import type { ImportedFlow } from '../api/flow-import.ts'
import { invocation } from './announce.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'
import type { World } from './world.ts'
import type { ReportRowAnswer } from '../api/flow-report.ts'
import { printReportRows } from './report-rows.ts'

type Report = ImportedFlow['report']

const ENDS: Readonly<Record<Report['runs'], string>> = {
  yes: 'The flow runs.',
  after: 'The flow runs once what is listed as needed has been supplied or set.',
  no: 'The flow is stored, but it cannot run: it needs something that this server does not have.',
}

/**
 * Prints the report of each imported flow, with what has to be done before it runs.
 *
 * @param others what the export has beside its flows
 */
export function printReports(
  { imported, others }: { imported: readonly ImportedFlow[]; others: readonly ReportRowAnswer[] },
  world: World,
  paint: Paint,
): void {
  for (const [index, one] of imported.entries()) {
    if (index > 0) world.stderr.write('\n')
    printReport(one, world, paint)
  }
  if (others.length > 0) world.stderr.write(`\n${paint('bold', 'Beside the flows')}\n`)
  printReportRows(others, (text) => void world.stderr.write(text), paint)
}

function printReport({ flow, report }: ImportedFlow, world: World, paint: Paint): void {
  world.stdout.write(`${printable(flow.slug)}\n`)
  const say = (line: string) => void world.stderr.write(`${printable(line)}\n`)
  const heading = (text: string) => void world.stderr.write(`\n${paint('bold', text)}\n`)

  say(`${flow.name}: ${report.nodes} node${report.nodes === 1 ? '' : 's'}`)
  printReportRows(report.rows, (text) => void world.stderr.write(text), paint)
  const settings = settingsLines(report)
  if (settings.length > 0) heading(settingsTitle(report))
  for (const line of settings) say(`  ${line}`)
  heading('Access')
  for (const line of accessLines(flow.slug, report.access, invocation(world))) say(`  ${line}`)
  say('')
  say(ENDS[report.runs])
}

const settingsTitle = ({ settings }: Report) =>
  settings?.kept === false ? 'Settings that were left out (--no-keep-settings)' : 'Settings that were kept'

function settingsLines({ settings }: Report): string[] {
  if (!settings) return []
  const { overrides, rateLimit, chatWindow, allowedOrigins } = settings
  return [
    `Uploads: ${overrides.includes('files') ? 'on' : 'off'}`,
    `Requests may override: ${overrides.filter((name) => name !== 'files').join(', ') || 'nothing'}`,
    ...(rateLimit === 'off' ? [] : [`Rate limit: ${rateLimit}`]),
    ...(allowedOrigins.length > 0 ? [`Allowed origins: ${allowedOrigins.join(', ')}`] : []),
    ...(chatWindow ? ['How the chat window looks'] : []),
  ]
}

function accessLines(slug: string, { state, key, notes }: Report['access'], sluice: string): string[] {
  const lines = {
    open: ['Open: whoever reaches the server may call it.'],
    key: [`Callers need the API key ${key?.name}.`],
    closed: [
      'Closed: it needed an API key, and exports do not contain it. Only managers may call it until you bind a key:',
      `${sluice} flow set ${slug} key=NAME`,
    ],
  }
  return [...lines[state], ...notes]
}
