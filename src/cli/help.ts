import type { Command, Group } from './command.ts'
import { dashed, settingOption, type Option } from './options.ts'
import { type Paint, paintFor } from './paint.ts'
import { displayWidth, wrap } from './printable.ts'
import type { Output, World } from './world.ts'

/** How a help is written: its colours, and the width of a line. */
export type HelpStyle = { paint: Paint; columns: number }

/** The widest name that has its text beside it; the text of a longer one is below. */
const WIDEST_NAME = 30

/** In a terminal that is narrower the lines of a text get no shorter. */
const NARROWEST_TEXT = 40

/** The style for an output; lines of 100 columns where it has no width. */
export const helpStyleFor = (output: Output, environment: World['environment']): HelpStyle => ({
  paint: paintFor(output, environment),
  columns: Math.min(output.columns || 100, 120),
})

/** `Usage: sluice upsert <flow> …`, which is also the hint of a usage error. */
export function usageLine(path: string[], { args = [], options, settings }: Command): string {
  const some = options || settings ? ['[options]'] : []
  return `Usage: ${['sluice', ...path, ...args, ...some].join(' ')}`
}

export function commandHelp(path: string[], command: Command, style: HelpStyle): string {
  const { summary, about, options = {}, settings = [], settingTexts = {}, examples = [] } = command
  const own: [string, string][] = [
    ...Object.entries(options).map(optionRow),
    ['-h, --help', 'shows this help'],
  ]
  const ofSettings = settings.map((name) => {
    const option = settingOption(name)
    return optionRow([name, { ...option, about: settingTexts[name] ?? option.about }])
  })
  return [
    `${usageLine(path, command)}\n\n${wrapped(`${summary}.`, style)}\n`,
    about && `\n${wrapped(about, style)}\n`,
    section('Options', own, style),
    ofSettings.length > 0 &&
      section('Settings, also from the environment and sluice.config.json', ofSettings, style),
    examples.length > 0 &&
      `\n${style.paint('bold', 'Examples')}\n${examples.map((example) => `  ${['sluice', ...path, example].join(' ').trimEnd()}\n`).join('')}`,
  ]
    .filter((part) => part)
    .join('')
}

export async function groupHelp(
  path: string[],
  { summary, commands }: Group,
  style: HelpStyle,
): Promise<string> {
  const rows = await Promise.all(
    Object.entries(commands).map(async ([name, load]): Promise<[string, string]> => {
      const entry = await load()
      const args = 'run' in entry ? (entry.args ?? []) : ['<command>']
      return [[name, ...args].join(' '), entry.summary]
    }),
  )
  const name = ['sluice', ...path].join(' ')
  return [
    `Usage: ${name} <command> …\n\n${wrapped(`${summary}.`, style)}\n`,
    section('Commands', rows, style),
    `\n${name} <command> --help shows more.${path.length === 0 ? ' sluice --version shows the version.' : ''}\n`,
  ].join('')
}

const optionRow = ([name, { value, about }]: [string, Option<unknown>]): [string, string] => [
  `--${dashed(name)}${value ? ` <${value}>` : ''}`,
  about,
]

function section(title: string, rows: [string, string][], { paint, columns }: HelpStyle): string {
  const widths = rows.map(([name]) => displayWidth(name))
  const width = Math.max(0, ...widths.filter((one) => one <= WIDEST_NAME))
  const indent = ' '.repeat(width + 4)
  const lines = rows.map(([name, text], at) => {
    const gap = widths[at]! > width ? `\n${indent}` : ' '.repeat(width + 2 - widths[at]!)
    return `  ${paint('cyan', name)}${gap}${wrap(text, Math.max(columns - indent.length, NARROWEST_TEXT)).join(`\n${indent}`)}`
  })
  return `\n${paint('bold', title)}\n${lines.join('\n')}\n`
}

const wrapped = (text: string, { columns }: HelpStyle): string =>
  text
    .split('\n')
    .flatMap((line) => wrap(line, Math.max(columns, NARROWEST_TEXT)))
    .join('\n')
