import type { Command, Group } from './command.ts'
import { dashed, settingOption, type Option } from './options.ts'
import type { Paint } from './paint.ts'
import { displayWidth } from './printable.ts'

/** `Usage: sluice upsert <flow> …`, which is also the hint of a usage error. */
export function usageLine(path: string[], { args = [], options, settings }: Command): string {
  const some = options || settings ? ['[options]'] : []
  return `Usage: ${['sluice', ...path, ...args, ...some].join(' ')}`
}

export function commandHelp(path: string[], command: Command, paint: Paint): string {
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
    `${usageLine(path, command)}\n\n${summary}.\n`,
    about && `\n${about}\n`,
    section('Options', own, paint),
    ofSettings.length > 0 &&
      section('Settings, also from the environment and sluice.config.json', ofSettings, paint),
    examples.length > 0 &&
      `\n${paint('bold', 'Examples')}\n${examples.map((example) => `  ${['sluice', ...path, example].join(' ').trimEnd()}\n`).join('')}`,
  ]
    .filter((part) => part)
    .join('')
}

export async function groupHelp(path: string[], { summary, commands }: Group, paint: Paint): Promise<string> {
  const rows = await Promise.all(
    Object.entries(commands).map(async ([name, load]): Promise<[string, string]> => {
      const entry = await load()
      const args = 'run' in entry ? (entry.args ?? []) : [Object.keys(entry.commands).join('|')]
      return [[name, ...args].join(' '), entry.summary]
    }),
  )
  const name = ['sluice', ...path].join(' ')
  return [
    `Usage: ${name} <command> …\n\n${summary}.\n`,
    section('Commands', rows, paint),
    `\n${name} <command> --help shows more.${path.length === 0 ? ' sluice --version shows the version.' : ''}\n`,
  ].join('')
}

const optionRow = ([name, { value, about }]: [string, Option<unknown>]): [string, string] => [
  `--${dashed(name)}${value ? ` <${value}>` : ''}`,
  about,
]

function section(title: string, rows: [string, string][], paint: Paint): string {
  const width = Math.max(...rows.map(([left]) => displayWidth(left)))
  const lines = rows.map(
    ([left, right]) => `  ${paint('cyan', left)}${' '.repeat(width - displayWidth(left))}  ${right}`,
  )
  return `\n${paint('bold', title)}\n${lines.join('\n')}\n`
}
