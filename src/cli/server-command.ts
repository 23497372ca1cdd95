import { type Command, command, type CommandInput } from './command.ts'
import type { Client } from './http.ts'
import type { Options, Values } from './options.ts'
import {
  SERVER_OPTIONS,
  SERVER_SETTING_TEXTS,
  SERVER_SETTINGS,
  type ServerOptions,
  serverOf,
} from './server-options.ts'

type ServerCommand<O extends Options> = Omit<Command<O>, 'run'> & {
  run(input: CommandInput<O> & { client: Client }): Promise<number>
}

/** A command that calls a server: it also takes the options and settings that name the server, and `run` gets a client. */
export const serverCommand = <O extends Options = Record<never, never>>({
  options,
  settings = [],
  run,
  ...declared
}: ServerCommand<O>): Command =>
  command<O>({
    ...declared,
    options: { ...SERVER_OPTIONS, ...(options as O) },
    settings: [...SERVER_SETTINGS, ...settings],
    settingTexts: SERVER_SETTING_TEXTS,
    run: (input) => {
      const { url, key } = input.options as Values<O> & ServerOptions
      return run({ ...input, client: serverOf({ url, key }, input.config, input.world) })
    },
  })
