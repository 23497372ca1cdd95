import { spawn } from 'node:child_process'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { scratchFolder } from './tests/scratch.ts'

/*
 * `node tools/unit.ts` runs the tests that stand beside the code, in as many processes as there are processors: a process of its own
 * for each file would load the same modules hundreds of times. Prints a point for each test, and what failed.
 */
const FILES = [
  'src/**/*.test.ts',
  'tools/**/*.test.ts',
  'studio/{drawing,forms,parts,screens,server}/**/*.test.ts',
]

const parts = availableParallelism() + 1

// Threads and processes of tests load the same modules hundreds of times.
const env = {
  ...process.env,
  TMPDIR: scratchFolder(),
  NODE_COMPILE_CACHE: path.join(tmpdir(), 'node-compile-cache'),
}
const codes = await Promise.all(Array.from({ length: parts }, (_, at) => runPart(at + 1)))
if (codes.some((code) => code !== 0)) process.exitCode = 1

/** Runs the files of a part, `1` to `parts`, and resolves with the code of its process. */
async function runPart(part: number): Promise<number> {
  const options = ['--test-isolation=none', '--test-reporter=dot', `--test-shard=${part}/${parts}`]
  const child = spawn(process.execPath, ['--test', ...options, ...FILES], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
  process.stdout.write(await text(child.stdout))
  return ended
}
