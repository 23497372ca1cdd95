import { styleText } from 'node:util'

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Facts beside a log line: names, counts, ids. Never document text, never a secret. */
export type LogFacts = Record<string, string | number | boolean | undefined>

/** Structured log: a short event name in noun-action form ("upsert-done") and its facts. */
export type Log = {
  error(event: string, facts?: LogFacts): void
  warn(event: string, facts?: LogFacts): void
  info(event: string, facts?: LogFacts): void
  debug(event: string, facts?: LogFacts): void
}

type Sink = { write(text: string): unknown; isTTY?: boolean }

/** A log that writes JSON lines, or readable ones on a terminal; `sink` is standard error unless given. */
export function createLog(level: LogLevel, sink: Sink = process.stderr, now = () => new Date()): Log {
  const rank = LOG_LEVELS.indexOf(level)
  const write =
    (name: Exclude<LogLevel, 'silent'>) =>
    (event: string, facts: LogFacts = {}) => {
      if (LOG_LEVELS.indexOf(name) > rank) return
      const time = now().toISOString()
      sink.write(
        sink.isTTY
          ? readable(time, name, event, facts)
          : `${JSON.stringify({ time, level: name, event, ...facts })}\n`,
      )
    }
  return { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') }
}

const COLOURS = { error: 'red', warn: 'yellow', info: 'cyan', debug: 'gray' } as const

function readable(time: string, level: keyof typeof COLOURS, event: string, facts: LogFacts): string {
  const pairs = Object.entries(facts).filter(([, value]) => value !== undefined)
  const rest = pairs.map(([key, value]) => ` ${styleText('dim', `${key}=`)}${value}`).join('')
  return `${styleText('dim', time.slice(11, 19))} ${styleText(COLOURS[level], event)}${rest}\n`
}

/** A log without output, for tests and libraries. */
export const quietLog: Log = createLog('silent')
