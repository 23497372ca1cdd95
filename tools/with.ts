import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/*
 * `node tools/with.ts FOLDER [COMMAND ARGUMENT…]` installs the packages of `test`, `bench` or `studio`, unless the
 * folder holds those of its lock file, and runs a command of theirs. Each folder has a package.json of its own, so that `npm ci`
 * installs only what the product needs. Scripts of packages do not run: they would fetch what no lock file has a hash for.
 */
const root = path.join(import.meta.dirname, '..')
const INSTALL = ['ci', '--loglevel=error', '--ignore-scripts']
const [folder = '', command, ...args] = process.argv.slice(2)
if (!['test', 'bench', 'studio'].includes(folder)) {
  console.error('usage: node tools/with.ts test|bench|studio [COMMAND ARGUMENT…]')
  process.exit(2)
}

const home = path.join(root, folder)
const marker = path.join(home, 'node_modules/.installed')
const wanted = createHash('sha256')
  .update(readFileSync(path.join(home, 'package-lock.json')))
  .digest('hex')
if (!existsSync(marker) || readFileSync(marker, 'utf8') !== wanted) {
  console.error(`installing the packages of ${folder}/package.json`)
  const npm = process.env.npm_execpath
  // npm leaves out optional packages that its own Node.js is too old for, and these packages are for the Node.js of this script.
  if (npm && path.basename(npm) === 'npm-cli.js') run(process.execPath, [npm, ...INSTALL], home)
  else run('npm', INSTALL, home)
  writeFileSync(marker, wanted)
}
if (command) run(path.join(home, 'node_modules/.bin', command), args, root)

function run(program: string, programArgs: string[], cwd: string): void {
  const { status, error } = spawnSync(program, programArgs, {
    cwd,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (error) console.error(error.message)
  if (status !== 0) process.exit(status ?? 1)
}
