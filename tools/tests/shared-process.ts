import { run } from 'node:test'
import { spec } from 'node:test/reporters'

/*
 * A process that runs test files one after another: loading the modules of the product takes longer than the tests of most files.
 * Its parent sends the path of a file, and gets what the reporter `spec` wrote of its tests.
 */

/** `memory` is that of the process, in bytes. */
export type FileReport = { output: string; memory: number }

process.on('message', (file: string) => void report(file))
// After the last file, or by a file that lacks what it needs.
process.on('disconnect', () => process.exit(0))

async function report(file: string): Promise<void> {
  // The last hooks of a file run when nothing else keeps the process: a connection that a test left open fails here as it does alone.
  process.channel!.unref()
  let output = ''
  for await (const piece of run({ files: [file], isolation: 'none' }).compose(new spec())) output += piece
  process.channel!.ref()
  process.send!({ output, memory: process.memoryUsage.rss() } satisfies FileReport)
}
