import type { Log, LogFacts } from './log.ts'
import type { SecretMask } from './secret-mask.ts'

/** The same log, with masked secrets in the facts of each line. */
export function maskedLog(log: Log, mask: SecretMask): Log {
  const write = (level: keyof Log) => (event: string, facts?: LogFacts) =>
    log[level](event, facts && mask.json(facts))
  return { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') }
}
