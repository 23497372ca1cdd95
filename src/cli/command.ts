import type { Config, SettingName } from '../kit/config.ts'
import type { Options, Values } from './options.ts'
import type { World } from './world.ts'

export type Input<O extends Options = Options> = {
  world: World
  config: Config
  args: string[]
  options: Values<O>
}

/** A command, declared once: parsing, help and the complaints about wrong use all come from this object. */
export type Command<O extends Options = Options> = {
  /** One line, without a full stop. */
  summary: string
  /** What follows the name: `<needed>`, `[left out or not]`; a last one that ends in `…` stands for several. */
  args?: readonly string[]
  /** What help says besides. */
  about?: string
  options?: O
  /** The settings it takes as options. */
  settings?: readonly SettingName[]
  /** What may follow `sluice <name>`. */
  examples?: readonly string[]
  /** Does the work and answers the exit code. @throws Failure */
  run(input: Input<O>): Promise<number>
}

/** Commands under one word, loaded only when they are called. */
export type Group = { summary: string; commands: Record<string, () => Promise<Command | Group>> }

/** Keeps the types of the options while `run` is written, and forgets them for those who only call it. */
export const command = <O extends Options = Record<never, never>>(declared: Command<O>): Command =>
  declared as unknown as Command
