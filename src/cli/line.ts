import { parseArgs } from 'node:util'
import type { SettingName } from '../kit/settings.ts'
import type { Command } from './command.ts'
import { UsageError } from './failure.ts'
import { dashed, flag, settingOption, type Option } from './options.ts'
import { suggest } from '../kit/suggest.ts'

/** The parsed arguments of a command. `settings` holds texts by name of setting, for `readConfig`. */
export type Line = {
  help: boolean
  args: string[]
  options: Record<string, unknown>
  settings: Partial<Record<SettingName, string>>
}

/** @throws UsageError for an unknown option, an invalid value, and a wrong number of arguments */
export function readLine(command: Command, argv: string[]): Line {
  const { options = {}, settings = [] } = command
  const known = new Map<string, Option<unknown>>([
    ...Object.entries(options).map(([name, option]) => [dashed(name), option] as const),
    ...settings.map((name) => [dashed(name), settingOption(name)] as const),
    ['help', flag('')],
  ])
  const { args, given } = collect(argv, known)
  if (given.has('help')) return { help: true, args, options: {}, settings: {} }

  checkArgs(args, command.args ?? [])
  const read = ([name, option]: [string, Option<unknown>]) => {
    try {
      return [name, option.read(given.get(dashed(name)) ?? [])]
    } catch (error) {
      throw new UsageError(`--${dashed(name)}: ${(error as Error).message}`)
    }
  }
  return {
    help: false,
    args,
    options: Object.fromEntries(Object.entries(options).map(read)),
    settings: Object.fromEntries(
      settings.flatMap((name) => given.get(dashed(name))?.map((value) => [name, value]) ?? []),
    ),
  }
}

/** Separates arguments from options. The text of a flag is `true` or `false`. */
function collect(argv: string[], known: Map<string, Option<unknown>>) {
  const { tokens } = parseArgs({
    args: argv,
    options: Object.fromEntries(
      [...known].map(([name, { value }]) => [
        name,
        { type: value ? 'string' : 'boolean', ...(name === 'help' ? { short: 'h' } : {}) } as const,
      ]),
    ),
    // The errors of strict mode have no suggestions, so the tokens are checked below.
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const args: string[] = []
  const given = new Map<string, string[]>()
  const add = (name: string, value: string) => given.set(name, [...(given.get(name) ?? []), value])
  for (const token of tokens) {
    if (token.kind === 'positional') args.push(token.value)
    if (token.kind !== 'option') continue
    const { name, value, rawName, inlineValue } = token
    const negated = name.startsWith('no-') ? known.get(name.slice(3)) : undefined
    const option = known.get(name)
    if (!option && negated && !negated.value && value === undefined) add(name.slice(3), 'false')
    else if (!option) throw unknownOption(rawName, known.keys())
    else if (!option.value && value !== undefined) throw new UsageError(`${rawName} takes no value`)
    else if (!option.value) add(name, 'true')
    else if (value === undefined || (!inlineValue && /^-./.test(value)))
      throw new UsageError(`${rawName} needs a value: ${rawName}=<${option.value}>`)
    else add(name, value)
  }
  return { args, given }
}

function unknownOption(rawName: string, known: Iterable<string>): UsageError {
  const meant = suggest(rawName.replace(/^-+/, ''), known)
  return new UsageError(`there is no option ${rawName}`, meant && `did you mean --${meant}?`)
}

function checkArgs(args: string[], wanted: readonly string[]): void {
  const missing = wanted.filter((arg) => arg.startsWith('<'))[args.length]
  if (missing) throw new UsageError(`${missing.replace('…', '')} is missing`)
  if (args.length > wanted.length && !wanted.at(-1)?.endsWith('…'))
    throw new UsageError(`the argument ${JSON.stringify(args[wanted.length])} is one too many`)
}
