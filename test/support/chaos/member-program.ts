import { execFileSync } from 'node:child_process'
import { writeSync } from 'node:fs'
import { readConfig } from '../../../src/kit/config.ts'
import { quietLog } from '../../../src/kit/log.ts'
import { startPlatform } from '../../../src/main.ts'
import { type Boundary, watchStatements } from './statements.ts'

/*
 * A server in a process of its own: `member-program.ts SETTINGS FENCE`. At the boundary of its order, it writes a line to file
 * descriptor 4, with the job where that is known, and ends or stops itself by a signal, before it does anything else.
 */
export type MemberOrder = { boundary: Boundary; signal: 'SIGKILL' | 'SIGSTOP' } | 'none'

const [settings = '{}', fence] = process.argv.slice(2)
const flags = JSON.parse(settings) as Record<string, string> & { DATA_DIR: string }
let order: MemberOrder = 'none'

process.on('message', (next) => {
  order = next as MemberOrder
})
process.on('disconnect', () => process.exit())

watchStatements((boundary, job = '') => {
  if (order === 'none' || order.boundary !== boundary) return
  const { signal } = order
  order = 'none'
  writeSync(4, `${job}\n`)
  // Not process.kill(): Node does what it does at exit before it signals itself, and writes its compile cache for up to a second.
  execFileSync('/bin/sh', ['-c', 'kill -s "$0" "$1"', signal.slice('SIG'.length), String(process.pid)])
}, fence !== 'unfenced')

const note = (event: string, facts: object = {}) =>
  process.stderr.write(`${JSON.stringify({ event, ...facts })}\n`)
const log = process.env.CHAOS_LOG ? { ...quietLog, warn: note, error: note, info: note } : quietLog
const { url } = await startPlatform(readConfig({ flags, environment: {}, directory: flags.DATA_DIR }), log)
process.send!({ url })
