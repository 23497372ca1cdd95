// Plain JavaScript, for the Node.js that runs npm, which may be an old one.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { batchTo, linkTo, programIn } from './node-link.js'

/*
 * The end of `npm ci` in a checkout, where devDependencies are installed. It makes node_modules/.bin/node, with which npm's scripts run:
 * the Node.js that runs npm where that is new enough, otherwise the one of pinned-node/package-lock.json, which npm checks against the
 * hash there. That one is made for glibc 2.28 and newer, and so not for Alpine. Then it runs prepare.ts.
 */
const OLDEST = 24
const isWindows = process.platform === 'win32'
const root = fileURLToPath(new URL('..', import.meta.url))
const programs = path.join(root, 'node_modules/.bin')

// One that no dependency brings, as mysql2 does @types/node.
if (existsSync(path.join(root, 'node_modules/@types/pg'))) {
  const node = ownNode()
  if (node === undefined) process.exitCode = 1
  else {
    link(node)
    // A build that a signal ended has no status.
    process.exitCode = run(node, [path.join(root, 'tools/prepare.ts')], root).status ?? 1
  }
}

/** A Node.js that is new enough; undefined where there is none, which has been said. */
function ownNode() {
  const ofNpm = process.env.npm_node_execpath || process.execPath
  const machine = versionOf(ofNpm)
  if (machine.major >= OLDEST) return ofNpm

  const folder = path.join(root, 'tools/pinned-node')
  console.error(
    `npm runs on Node.js ${machine.version}: installing the one of tools/pinned-node/package-lock.json`,
  )
  const npm = process.env.npm_execpath
  const args = ['ci', '--loglevel=error', '--ignore-scripts']
  const installed =
    npm && path.basename(npm) === 'npm-cli.js' ? run(ofNpm, [npm, ...args], folder) : run('npm', args, folder)
  if (installed.status !== 0) return failed('could not be installed; the reason is above', machine)

  const packages = path.join(folder, 'node_modules')
  const name = (existsSync(packages) ? readdirSync(packages) : []).find((one) => one.startsWith('node-'))
  if (name === undefined) return failed(`is not made for ${process.platform} on ${process.arch}`, machine)
  // C headers, which nothing uses: 67 MB.
  rmSync(path.join(packages, name, 'include'), { recursive: true, force: true })
  const pinned = programIn(path.join(packages, name), process.platform)
  const found = versionOf(pinned)
  if (found.major >= OLDEST) return pinned
  return failed(`cannot run on this machine (${found.reason})`, machine)
}

function failed(what, machine) {
  console.error(
    `npm ci: the Node.js of tools/pinned-node ${what}, and ${machine.version} of this machine is too old: install Node.js ${OLDEST} or newer, then run npm ci again`,
  )
  return undefined
}

function versionOf(program) {
  const { status, error, stdout, stderr } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  if (status !== 0)
    return { major: 0, version: 'none', reason: error ? error.message : stderr.trim().split('\n')[0] }
  return { major: Number(/\d+/.exec(stdout)[0]), version: stdout.trim() }
}

/** Windows has no links that everybody may make. A link that is right is left, since others may start it at this moment. */
function link(node) {
  mkdirSync(programs, { recursive: true })
  const place = path.join(programs, 'node')
  if (isWindows) {
    const text = batchTo(node, { root, programs })
    const batch = `${place}.cmd`
    if (!existsSync(batch) || readFileSync(batch, 'utf8') !== text) writeFileSync(batch, text)
  } else if (!existsSync(place) || realpathSync(place) !== realpathSync(node)) {
    rmSync(place, { force: true })
    const checkout = { root: realpathSync(root), programs: realpathSync(programs) }
    symlinkSync(linkTo(realpathSync(node), checkout), place)
  }
}

function run(program, args, cwd) {
  const result = spawnSync(program, args, { cwd, stdio: 'inherit', shell: isWindows && program === 'npm' })
  if (result.error) console.error(result.error.message)
  return result
}
