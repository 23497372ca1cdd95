import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'

/**
 * Makes the program as a package has it, in a folder: it starts sooner than the source, since it is a few files and has no types to
 * strip. The build takes as long as some starts from the source.
 *
 * @returns the path of its `bin/sluice.js`
 */
export function buildProgram(root: string, folder: string): string {
  mkdirSync(folder)
  const built = spawnSync(process.execPath, [path.join(root, 'tools/build.ts'), path.join(folder, 'dist')], {
    encoding: 'utf8',
  })
  if (built.status !== 0) throw new Error(`the program could not be built: ${built.stderr}`)
  cpSync(path.join(root, 'bin'), path.join(folder, 'bin'), { recursive: true })
  for (const name of ['node_modules', 'models', 'examples', 'package.json', 'dist/studio'])
    symlinkSync(path.join(root, name), path.join(folder, name))
  return path.join(folder, 'bin/sluice.js')
}
