import type { Config } from '../kit/config.ts'
import type { SettingName } from '../kit/settings.ts'
import type { Options, Values } from './options.ts'
import type { World } from './world.ts'

export type CommandInput<O extends Options = Options> = {
  world: World
  config: Config
  args: string[]
  options: Values<O>
}

/** A command, declared once: parsing, help and messages about wrong usage come from this object. */
export type Command<O extends Options = Options> = {
  /** One line, without a full stop. */
  summary: string
  /** The arguments after the name: `<required>`, `[optional]`; a last one that ends in `…` may be repeated. */
  args?: readonly string[]
  /** More text for help, in lines of at most 120 characters. */
  about?: string
  options?: O
  /** The settings that it takes as options. */
  settings?: readonly SettingName[]
  /** Texts of help for settings that mean something else to a client than to a server. */
  settingTexts?: Partial<Record<SettingName, string>>
  /** What may follow `sluice <name>`, for help. */
  examples?: readonly string[]
  /** Does the work. @returns the exit code @throws Failure */
  run(input: CommandInput<O>): Promise<number>
}

/** Commands under one word. Each is loaded when it is called. */
export type Group = { summary: string; commands: Record<string, () => Promise<Command | Group>> }

/** Declares a command; `run` has the types of the options, which callers of the command do not need. */
export const command = <O extends Options = Record<never, never>>(declared: Command<O>): Command =>
  declared as unknown as Command
