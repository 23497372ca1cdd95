import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'

/* Part of `npm ci` in a checkout, where devDependencies are installed: builds the studio. */
const root = path.join(import.meta.dirname, '..')

// The scripts of package.json begin with `exec`, so that a signal to npm reaches the program and not a shell before it. That is a word
// of POSIX shells, and here one for Windows.
if (process.platform === 'win32') writeFileSync(path.join(root, 'node_modules/.bin/exec.cmd'), '@%*\r\n')

const { status } = spawnSync(process.execPath, [path.join(root, 'tools/build-studio.ts')], {
  stdio: 'inherit',
})
if (status !== 0) {
  console.error('npm ci: the studio could not be built; the reason is above')
  process.exitCode = 1
}
