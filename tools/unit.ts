import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import { COMPILE_CACHE } from './tests/compile-cache.ts'
import { scratchFolder } from './tests/scratch.ts'

/*
 * `node tools/unit.ts` runs the tests that stand beside the code, in one process more than there are processors, since
 * they wait for children a third of their time. A process of its own for each file would load the same modules hundreds of times.
 * Prints a point for each test, and what failed.
 */
const FILES = [
  'src/**/*.test.ts',
  'tools/**/*.test.ts',
  'studio/{chat-page,drawing,forms,parts,screens,server}/**/*.test.ts',
]

const parts = availableParallelism() + 1
const env = { ...process.env, TMPDIR: scratchFolder(), NODE_COMPILE_CACHE: COMPILE_CACHE }
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
