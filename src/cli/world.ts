import type { Readable } from 'node:stream'
import type { OfflineTools } from '../contract/data-directory.ts'
import type { ComparisonOutcome } from '../evaluate/comparison/outcome.ts'
import type { LocalComparison } from '../evaluate/comparison/local-comparison.ts'
import type { Evaluation, EvaluationRequest } from '../evaluate/run.ts'
import type { Config } from '../kit/config.ts'
import type { Log } from '../kit/log.ts'

/** Where text is written: a terminal, a pipe, or a string in a test. */
export type Output = {
  write(text: string): unknown
  on?(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/** Standard input. In raw mode a terminal does not show what is typed. */
export type Input = Readable & { readonly isTTY?: boolean; setRawMode?(on: boolean): unknown }

/** A running platform: which flows need no key, and a code for one sign-in to the studio within five minutes. */
export type StartedPlatform = Service & {
  openFlows: string[]
  newSignInCode(): Promise<string>
  /** From now on it says that it is not ready, and takes requests until `close`. */
  drain(): void
}

export type Service = { url: string; close(): Promise<void> }

/** Everything outside the command line that it uses; `main.ts` passes the real one. */
export type World = {
  stdin: Input
  /** Results, and nothing else. */
  stdout: Output
  /** Logs, progress, error messages. */
  stderr: Output
  environment: Record<string, string | undefined>
  /** The working directory of the person: paths in arguments and in the environment are relative to it. */
  directory: string
  /** Where `sluice.config.json` is looked for; `directory` unless given. */
  settingsDirectory?: string
  /** Source of signals, and the way to end the process at once. */
  process: Pick<NodeJS.Process, 'on' | 'off' | 'listenerCount' | 'exit'>
  /** @throws SluiceError `port_taken`, `address_unusable`, `data_dir_unusable`… */
  startPlatform(config: Config, log: Log): Promise<StartedPlatform>
  /** @throws SluiceError `port_taken`, `address_unusable` */
  startEvents(config: Config, log: Log): Promise<Service>
  /** @throws SluiceError `collection_invalid`, `flow_not_found`… */
  evaluateFlow(config: Config, request: EvaluationRequest): Promise<Evaluation>
  /** @throws SluiceError `collection_invalid`, `flow_not_found`, `variant_invalid`… */
  compareFlow(config: Config, request: LocalComparison): Promise<ComparisonOutcome>
  /** Work on a data directory of this machine. */
  offline: OfflineTools
  /** The folder with `package.json` and `examples/`; ends in a slash. */
  packageRoot: URL
}
