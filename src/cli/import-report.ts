import type { SettingsReport } from '../flow/import/kept-settings.ts'
import type { ImportReport } from '../flow/import/report.ts'
import { isObject, type Json } from '../kit/json.ts'
import { Failure } from './failure.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'
import type { World } from './world.ts'

type Place = { label: string; name: string; within?: string; input?: string }

/** Prints what an import made, and what a person has to do before it runs. */
export function printReport(answer: Json, world: World, paint: Paint): void {
  const { flow, report } = readAnswer(answer)
  world.stdout.write(`${printable(flow.slug)}\n`)
  const say = (line: string) => void world.stderr.write(`${printable(line)}\n`)
  const heading = (text: string) => void world.stderr.write(`\n${paint('bold', text)}\n`)

  say(`${flow.name}: ${report.nodes} node${report.nodes === 1 ? '' : 's'}`)
  for (const { title, lines } of sectionsOf(report)) {
    if (lines.length === 0) continue
    heading(title)
    for (const line of lines) say(`  ${line}`)
  }
  say('')
  say(
    report.supported
      ? 'Every node is supported; the flow runs once what is listed is there.'
      : 'The flow is stored, but cannot run: it uses nodes that this server does not have.',
  )
}

function sectionsOf(report: ImportReport): { title: string; lines: string[] }[] {
  return [
    { title: 'Not supported', lines: report.unsupported.map((place) => `${where(place)}: ${place.name}`) },
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
    { title: 'Files to supply', lines: report.files.map((place) => `${where(place)}: ${place.accepts}`) },
    {
      title: 'Values that could not be read; the default stands',
      lines: report.defaulted.map((place) => `${where(place)}: ${place.reason}`),
    },
    { title: settingsTitle(report), lines: settingsLines(report) },
    { title: 'Inputs that have no effect here', lines: report.ignored.map(where) },
  ]
}

/** What an import may tell of settings; an older server tells nothing. */
type WithSettings = ImportReport & { settings?: SettingsReport }

const settingsTitle = ({ settings }: WithSettings) =>
  settings?.kept === false
    ? 'Settings that were left out (--no-keep-settings)'
    : 'Settings that were taken along'

function settingsLines({ settings }: WithSettings): string[] {
  if (!settings) return []
  const { overrides, rateLimit, chatWindow } = settings
  return [
    `Uploads: ${overrides.includes('files') ? 'on' : 'off'}`,
    `Requests may override: ${overrides.filter((name) => name !== 'files').join(', ') || 'nothing'}`,
    ...(rateLimit === 'off' ? [] : [`Rate limit: ${rateLimit}`]),
    ...(chatWindow ? ['How the chat window looks'] : []),
  ]
}

const where = ({ label, within, input }: Place) =>
  [label, within, input].filter((part) => part !== undefined).join(' › ')

function readAnswer(answer: Json): { flow: { name: string; slug: string }; report: ImportReport } {
  if (isObject(answer) && isObject(answer.flow) && isObject(answer.report))
    return answer as unknown as ReturnType<typeof readAnswer>
  throw new Failure('The server’s answer is not that of an import')
}
