import type { ImportedFlow } from '../api/flow-import.ts'
import { invocation } from './announce.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'
import type { World } from './world.ts'

type Report = ImportedFlow['report']
type Place = Report['unsupported'][number] & { input?: string }

/** Prints the report of each imported flow, with what has to be done before it runs. */
export function printReports(imported: readonly ImportedFlow[], world: World, paint: Paint): void {
  for (const [index, one] of imported.entries()) {
    if (index > 0) world.stderr.write('\n')
    printReport(one, world, paint)
  }
}

function printReport({ flow, report }: ImportedFlow, world: World, paint: Paint): void {
  world.stdout.write(`${printable(flow.slug)}\n`)
  const say = (line: string) => void world.stderr.write(`${printable(line)}\n`)
  const heading = (text: string) => void world.stderr.write(`\n${paint('bold', text)}\n`)

  say(`${flow.name}: ${report.nodes} node${report.nodes === 1 ? '' : 's'}`)
  for (const { title, lines } of sectionsOf(report)) {
    if (lines.length === 0) continue
    heading(title)
    for (const line of lines) say(`  ${line}`)
  }
  heading('Access')
  for (const line of accessLines(flow.slug, report.access, invocation(world))) say(`  ${line}`)
  if (flow.problems.length > 0) {
    heading('Problems')
    for (const { message } of flow.problems) say(`  ${message}`)
  }
  say('')
  say(
    report.supported
      ? 'Every node is supported. Before the flow runs, supply what is listed above, if anything.'
      : 'The flow is stored, but it cannot run: it needs something that this server does not have.',
  )
}

function sectionsOf(report: Report): { title: string; lines: string[] }[] {
  return [
    { title: 'Not supported', lines: report.unsupported.map((place) => `${where(place)}: ${place.name}`) },
    { title: 'Missing', lines: report.missing.map(missing) },
    {
      title: 'Replaced',
      lines: report.replaced.map((place) => `${where(place)}: ${place.name} by ${place.by}`),
    },
    {
      title: 'Credentials to supply',
      lines: report.credentials.map(
        (place) => `${where(place)}: ${place.kinds.join(' or ')}, or the provider’s key in the environment`,
      ),
    },
    {
      title: 'Left out of the export, enter again',
      lines: report.leftOut.map(({ node, input }) => `${node} › ${input}`),
    },
    { title: 'Files to supply', lines: report.files.map((place) => `${where(place)}: ${place.accepts}`) },
    {
      title: 'Values that could not be read; the default is used',
      lines: report.defaulted.map((place) => `${where(place)}: ${place.reason}`),
    },
    {
      title: 'Experimental: not tested with the product itself',
      lines: report.experimental.map((place) => `${where(place)}: ${place.name}`),
    },
    { title: settingsTitle(report), lines: settingsLines(report) },
    { title: 'Inputs that have no effect here', lines: report.ignored.map(where) },
  ]
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

const where = ({ label, within, input }: Place) =>
  [label, within, input].filter((part) => part !== undefined).join(' › ')

/** One sentence for a reference to something that does not exist, or a value that is not there. */
function missing({ what, named, ...place }: Report['missing'][number]): string {
  if (what === 'module') return `${where(place)}: the module ${named} cannot be used in code of a flow`
  if (what === 'flow')
    return `${where(place)}: there is no flow ${named} on this server; set the id or slug of another`
  if (what === 'value') return `${where(place)}: it needs a value, and the export has none`
  return named === ''
    ? `${where(place)}: exports contain no files; choose the file again`
    : `${where(place)}: the file ${named} is not on this server; choose it again`
}
