import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A form of the product: its name in tables, and its `bin/sluice.js`. */
export type Program = { name: string; program: string }

/**
 * Both forms of the product: the TypeScript of this checkout, and the JavaScript that users install, which is built into a
 * folder. Their starts differ.
 */
export function programsIn(folder: string): Program[] {
  const place = path.join(folder, 'package')
  mkdirSync(place, { recursive: true })
  run('tools/with.ts', 'studio')
  run('tools/build.ts', path.join(place, 'dist'))
  for (const name of ['bin', 'package.json'])
    cpSync(path.join(ROOT, name), path.join(place, name), { recursive: true })
  for (const name of ['node_modules', 'models', 'examples'])
    symlinkSync(path.join(ROOT, name), path.join(place, name))
  return [
    { name: 'installed package', program: path.join(place, 'bin/sluice.js') },
    { name: 'this checkout', program: path.join(ROOT, 'bin/sluice.js') },
  ]
}

function run(script: string, argument: string): void {
  const { status } = spawnSync(process.execPath, [path.join(ROOT, script), argument], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${script} ended with ${status}`)
}
