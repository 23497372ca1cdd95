// Plain JavaScript, for the Node.js that runs npm, which may be an old one.
import { spawnSync } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'

/*
 * Part of `npm ci`, where the Node.js of the lock file does not run: it is made for glibc 2.28 and newer, and so not for Alpine. The Node.js
 * that runs npm takes its place where it is new enough.
 */
const OLDEST = 24
const programs = path.resolve('node_modules/node/bin')
const bundled = path.join(programs, 'node')
const { status, error, stderr } = spawnSync(bundled, ['--version'], { encoding: 'utf8' })

if (status !== 0) {
  const reason = error ? error.message : stderr.trim().split('\n')[0]
  const unusable = `npm ci: the Node.js of package-lock.json cannot run on this machine (${reason})`
  if (Number(process.versions.node.split('.')[0]) >= OLDEST) {
    rmSync(bundled, { force: true })
    symlinkSync(process.execPath, bundled)
    console.error(`${unusable}: ${process.version} of this machine is used instead`)
  } else {
    console.error(
      `${unusable}, and ${process.version} of this machine is too old: install Node.js ${OLDEST} or newer, then run npm ci again`,
    )
    process.exitCode = 1
  }
}
