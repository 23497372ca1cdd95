import { readFileSync } from 'node:fs'
import { readConfig } from '../kit/config.ts'
import { SluiceError } from '../kit/errors.ts'
import { CATALOG } from './catalog.ts'
import type { Command, Group } from './command.ts'
import { Failure, UsageError } from './failure.ts'
import { commandHelp, groupHelp, helpStyleFor, usageLine } from './help.ts'
import { readLine } from './line.ts'
import { paintFor } from './paint.ts'
import { printable } from './printable.ts'
import { suggest } from '../kit/suggest.ts'
import type { Output, World } from './world.ts'

export type { World } from './world.ts'

/**
 * Runs one command line, without the program's name, and returns the exit code: 0 done, 1 the work failed,
 * 2 wrong usage, 130 interrupted.
 */
export async function runCli(argv: string[], world: World): Promise<number> {
  const [first, ...rest] = argv
  // A reader that ends early, as in `sluice … | head`, is not a failure.
  world.stdout.on?.('error', (error) => {
    if (error.code !== 'EPIPE') throw error
  })
  try {
    if (first === '--version') return show(world, `${version(world.packageRoot)}\n`)
    if (first === 'help') return await runGroup(CATALOG, [], [...rest, '--help'], world)
    return await runGroup(CATALOG, [], argv, world)
  } catch (error) {
    return report(error, world)
  }
}

async function runGroup(group: Group, path: string[], argv: string[], world: World): Promise<number> {
  const [name, ...rest] = argv
  const help = (output: Output) => groupHelp(path, group, helpStyleFor(output, world.environment))
  if (name === '--help' || name === '-h') return show(world, await help(world.stdout))
  if (name === undefined) {
    world.stderr.write(await help(world.stderr))
    return 2
  }
  if (!Object.hasOwn(group.commands, name)) throw unknownCommand(name, path, group)
  const entry = await group.commands[name]!()
  return 'run' in entry
    ? runCommand(entry, [...path, name], rest, world)
    : runGroup(entry, [...path, name], rest, world)
}

async function runCommand(command: Command, path: string[], argv: string[], world: World): Promise<number> {
  try {
    const { help, args, options, settings } = readLine(command, argv)
    if (help) return show(world, commandHelp(path, command, helpStyleFor(world.stdout, world.environment)))
    const { environment, directory, settingsDirectory = directory } = world
    const config = readConfig({ flags: settings, environment, directory: settingsDirectory, base: directory })
    return await interruptible(world, () => command.run({ world, config, args, options }))
  } catch (error) {
    if (error instanceof UsageError)
      throw new UsageError(error.message, error.hint ?? usageLine(path, command))
    throw error
  }
}

/** Ctrl-C ends the process with exit code 130, unless the command handles SIGINT itself. */
async function interruptible(world: World, work: () => Promise<number>): Promise<number> {
  const onInterrupt = () => {
    if (world.process.listenerCount('SIGINT') === 1) world.process.exit(130)
  }
  world.process.on('SIGINT', onInterrupt)
  try {
    return await work()
  } finally {
    world.process.off('SIGINT', onInterrupt)
  }
}

function show(world: World, text: string): number {
  world.stdout.write(text)
  return 0
}

function unknownCommand(name: string, path: string[], { commands }: Group): UsageError {
  const full = ['sluice', ...path].join(' ')
  if (name.startsWith('-'))
    return new UsageError(`there is no option ${name} here`, `options come after the command: ${full} --help`)
  const meant = suggest(name, Object.keys(commands))
  return new UsageError(
    `there is no command ${[...path, name].join(' ')}`,
    meant ? `did you mean ${full} ${meant}?` : `${full} --help lists them`,
  )
}

/** Writes the message of an error, and its hint in a second line. @returns the exit code */
function report(error: unknown, world: World): number {
  const paint = paintFor(world.stderr, world.environment)
  const message = error instanceof Error ? error.message : String(error)
  const hint = error instanceof Failure ? error.hint : error instanceof SluiceError && error.facts.hint
  world.stderr.write(`${paint('red', 'sluice:')} ${printable(message)}\n`)
  if (hint) world.stderr.write(`${printable(hint)}\n`)
  if (error instanceof Failure) return error.exitCode
  if (error instanceof SluiceError) return error.code === 'config_invalid' ? 2 : 1
  // An unexpected error is a bug: its stack is needed to report it.
  if (error instanceof Error) world.stderr.write(`${paint('dim', error.stack ?? '')}\n`)
  return 1
}

function version(packageRoot: URL): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as {
    version: string
  }
  return version
}
