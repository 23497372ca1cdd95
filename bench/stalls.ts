import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { HOSTILE_INPUTS, HOSTILE_SETTINGS } from '../test/support/stalls/hostile-inputs.ts'
import { PROGRAM, startWatched } from '../test/support/stalls/watched-server.ts'
import { printTable } from './support/table.ts'

/**
 * The longest block of the server's event loop for each hostile input. `SLUICE_PROGRAM` names the `bin/sluice.js` of
 * another checkout to measure; `STALLS` is a pattern of the names of inputs.
 */
export async function run(): Promise<void> {
  const { SLUICE_PROGRAM: program = PROGRAM, STALLS: only = '' } = process.env
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  const server = await startWatched(path.join(folder, 'data'), { program, settings: HOSTILE_SETTINGS })
  const rows: (string | number)[][] = []
  try {
    for (const { name, send } of HOSTILE_INPUTS.filter(({ name }) => new RegExp(only).test(name))) {
      await server.longestBlock()
      const began = performance.now()
      const status = await send(server)
      const seconds = (performance.now() - began) / 1000
      rows.push([name, status, seconds, await server.longestBlock()])
      console.error(rows.at(-1)!.join(' | '))
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  printTable([['input', 'status', 'seconds', 'longest block ms'], ...rows])
}

if (import.meta.main) await run()
