import { writeSync } from 'node:fs'
import { readConfig } from '../../../src/kit/config.ts'
import { quietLog } from '../../../src/kit/log.ts'
import { startPlatform } from '../../../src/main.ts'
import { type Boundary, watchStatements } from './statements.ts'

/*
 * A server in a process of its own: `node-program.ts SETTINGS FENCE`. At the boundary that it was told, it writes a line to file
 * descriptor 4 and ends or stops itself by a signal, within the same moment.
 */
export type NodeOrder = { boundary: Boundary; signal: 'SIGKILL' | 'SIGSTOP' } | 'none'

const [settings = '{}', fence] = process.argv.slice(2)
const flags = JSON.parse(settings) as Record<string, string> & { DATA_DIR: string }
const moment = new Int32Array(new SharedArrayBuffer(4))
let order: NodeOrder = 'none'

process.on('message', (next) => {
  order = next as NodeOrder
})
process.on('disconnect', () => process.exit())

watchStatements((boundary) => {
  if (order === 'none' || order.boundary !== boundary) return
  const { signal } = order
  order = 'none'
  writeSync(4, `${boundary}\n`)
  process.kill(process.pid, signal)
  // The signal comes to all threads, to this one maybe not first.
  Atomics.wait(moment, 0, 0, 50)
}, fence !== 'unfenced')

const note = (event: string, facts: object = {}) =>
  process.stderr.write(`${JSON.stringify({ event, ...facts })}\n`)
const log = process.env.CHAOS_LOG ? { ...quietLog, warn: note, error: note, info: note } : quietLog
const { url } = await startPlatform(readConfig({ flags, environment: {}, directory: flags.DATA_DIR }), log)
process.send!({ url })
