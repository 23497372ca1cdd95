import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { reasonOf } from '../../../kit/errors.ts'
import { Failure } from '../../failure.ts'
import type { Client } from '../../http.ts'
import { flag, text } from '../../options.ts'
import { paintFor } from '../../paint.ts'
import { openRunFile, readRun, runPath } from '../../run-answer.ts'
import { runReport } from '../../run-report.ts'
import { serverCommand } from '../../server-command.ts'
import type { World } from '../../world.ts'

/** How often a run that goes on is read again, in milliseconds. */
const WATCH_MS = 1000

export const showRunCommand = serverCommand({
  summary: 'Shows what a run did, on one time axis: an answer, a job, or a record in a file',
  args: ['<id|file>'],
  about:
    'Model turns have their tokens, tool calls what was asked and answered, searches their hits with scores, and an upsert what\n' +
    'passed each node. A file that ends in .json is opened without a server. Secrets are masked in the record.',
  options: {
    output: text(
      'file',
      'also writes the record to a file, which opens here and in the studio of any server',
    ),
    follow: flag('waits until a run that goes on has ended'),
    json: flag('prints the record as it is'),
  },
  examples: ['5f6a9c1e-6f0e-4a53-9d7b-0d8f4f6f2b11', '5f6a9c1e… --output run.json', 'run.json'],
  async run({ world, client, args, options: { output, follow, json } }) {
    const run = /\.json$/i.test(args[0]!)
      ? await openRunFile(path.resolve(world.directory, args[0]!), args[0]!)
      : await recordOf(client, args[0]!, follow)
    if (output !== undefined) await save(world, output, `${JSON.stringify(run)}\n`)
    const { stdout, environment } = world
    stdout.write(json ? `${JSON.stringify(run)}\n` : runReport(run, paintFor(stdout, environment)))
    return 0
  },
})

async function recordOf(client: Client, id: string, follow: boolean) {
  for (;;) {
    const run = await readRun(client.send('GET', runPath(id)))
    if (!follow || run.state !== 'INPROGRESS') return run
    await pause(WATCH_MS)
  }
}

const save = (world: World, file: string, content: string) =>
  writeFile(path.resolve(world.directory, file), content).catch((error: unknown) => {
    throw new Failure(`Cannot write ${file}: ${reasonOf(error)}`)
  })
