import type { Log, LogFacts } from './log.ts'
import type { SecretMask } from './secret-mask.ts'

/** The same log, in whose facts no secret stands that the mask knows when the line is written. */
export function maskedLog(log: Log, mask: SecretMask): Log {
  const write = (level: keyof Log) => (event: string, facts?: LogFacts) =>
    log[level](event, facts && mask.json(facts))
  return { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') }
}
