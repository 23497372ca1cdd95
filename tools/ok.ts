import { spawn, spawnSync } from 'node:child_process'
import { text } from 'node:stream/consumers'

/*
 * `npm run ok`: format and lint, types and import directions side by side, since each uses one processor most of its time; then the
 * unit tests, which use all. Each step is a script of package.json.
 */
const SIDE_BY_SIDE = ['style', 'types', 'rooms']

// Side by side two of them would install the same packages.
for (const folder of ['test', 'studio'])
  if (spawnSync(process.execPath, ['tools/with.ts', folder], { stdio: 'inherit' }).status !== 0)
    process.exit(1)

const passed = await Promise.all(SIDE_BY_SIDE.map(run))
if (passed.includes(false)) process.exit(1)
process.exit(spawnSync('npm', ['run', '-s', 'unit'], { stdio: 'inherit' }).status ?? 1)

/** Runs a script, and prints all that it wrote once it has ended. @returns whether it passed */
async function run(script: string): Promise<boolean> {
  const child = spawn('npm', ['run', '-s', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const written = await Promise.all([text(child.stdout), text(child.stderr)])
  const code = await ended
  process.stdout.write(`${written.join('')}${code === 0 ? '' : `npm run ${script} failed\n`}`)
  return code === 0
}
