import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { freePort } from './free-port.ts'

/** How a client reaches the S3 server of the tests. */
export type S3Access = { endpoint: string; accessKeyId: string; secretAccessKey: string }

const KEYS = { accessKeyId: 'TESTS0KEY', secretAccessKey: 'the/secret+of the tests' }

/** The host name whose subdomains are buckets. */
export const S3_DOMAIN = 's3.test'

/** How long the gateway may take to answer, in milliseconds. */
const START_MS = 120_000

/**
 * Starts Ceph on loopback: a monitor, one OSD that holds everything in memory, and the S3 gateway. Nothing of it needs root.
 *
 * @param unpacked the folder of `tools/provide-s3.sh`
 * @param home an empty folder for its files
 */
export async function startCeph(unpacked: string, home: string): Promise<S3Access & { stop(): void }> {
  const libraries = librariesOf(unpacked)
  const environment = {
    PATH: `${path.join(unpacked, 'bin')}:${process.env.PATH ?? ''}`,
    LD_LIBRARY_PATH: libraries.join(':'),
  }
  const [monitorPort, gatewayPort] = [await freePort(), await freePort()]
  const id = randomUUID()
  const configuration = path.join(home, 'ceph.conf')
  for (const folder of ['mon', 'osd', 'rgw']) mkdirSync(path.join(home, folder), { recursive: true })
  writeFileSync(
    configuration,
    configurationOf({ id, home, library: libraries[0]!, monitorPort, gatewayPort }),
  )
  const children: ChildProcess[] = []

  const once_ = (program: string, ...args: string[]) => {
    const { status, error, stderr } = spawnSync(program, args, { env: environment, timeout: START_MS })
    if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? lastLine(String(stderr))}`)
  }
  const daemon = (program: string, ...args: string[]) => {
    const log = openSync(path.join(home, `${program}.log`), 'w')
    // They end with this process, also where it is killed.
    const child = spawn(
      'setpriv',
      ['--pdeathsig', 'KILL', '--', program, '-c', configuration, '-f', ...args],
      {
        env: environment,
        stdio: ['ignore', log, log],
      },
    )
    closeSync(log)
    children.push(child)
    return child
  }
  const stop = () => {
    for (const child of children) child.kill('SIGKILL')
  }

  try {
    const file = (name: string) => path.join(home, name)
    const monitor = ['--addv', 'a', `[v2:127.0.0.1:${monitorPort}]`]
    once_('monmaptool', '--create', '--fsid', id, ...monitor, file('monmap'))
    once_('osdmaptool', '-c', configuration, '--createsimple', '1', '--with-default-pool', file('osdmap'))
    const maps = ['--monmap', file('monmap'), '--osdmap', file('osdmap')]
    once_('ceph-mon', '-c', configuration, '-i', 'a', '--mkfs', ...maps)
    daemon('ceph-mon', '-i', 'a')
    once_('ceph-osd', '-c', configuration, '-i', '0', '--mkfs')
    daemon('ceph-osd', '-i', '0')
    const user = ['--uid=tests', '--display-name=tests', '--max-buckets=0']
    const keys = [`--access-key=${KEYS.accessKeyId}`, `--secret=${KEYS.secretAccessKey}`]
    once_('radosgw-admin', '-c', configuration, 'user', 'create', ...user, ...keys)
    const gateway = daemon('radosgw', '-n', 'client.admin')
    const endpoint = `http://127.0.0.1:${gatewayPort}`
    await Promise.race([
      answering(endpoint),
      once(gateway, 'exit').then(() => {
        throw new Error(`radosgw ended: ${lastLine(readFileSync(file('radosgw.log'), 'utf8'))}`)
      }),
    ])
    return { endpoint, ...KEYS, stop }
  } catch (error) {
    stop()
    throw error
  }
}

/** The folders of its libraries, that of the packages first. */
function librariesOf(unpacked: string): string[] {
  const below = path.join(unpacked, 'lib')
  const platform = readdirSync(below).find((name) => name.endsWith('-linux-gnu'))
  const folder = platform && path.join(below, platform)
  // Where the packages are installed, nothing was unpacked.
  const library = [folder, ...['x86_64', 'aarch64'].map((cpu) => `/usr/lib/${cpu}-linux-gnu`)].find(
    (one) => one && existsSync(path.join(one, 'rados-classes')),
  )
  if (!library) throw new Error(`Ceph is not in ${unpacked}: delete this folder and run tools/provide-s3.sh`)
  return [library, path.join(library, 'ceph'), ...(folder ? [folder] : [])]
}

type Facts = { id: string; home: string; library: string; monitorPort: number; gatewayPort: number }

/** One node without copies, keys between its parts, or waits that only matter to many nodes. */
const configurationOf = ({ id, home, library, monitorPort, gatewayPort }: Facts) => `[global]
fsid = ${id}
mon initial members = a
mon host = [v2:127.0.0.1:${monitorPort}]
auth cluster required = none
auth service required = none
auth client required = none
ms mon client mode = crc
ms mon cluster mode = crc
ms mon service mode = crc
ms client mode = crc
ms bind ipv6 = false
public addr = 127.0.0.1
cluster addr = 127.0.0.1
run dir = ${home}
admin socket =
pid file =
log file =
log to stderr = true
err to stderr = true
plugin dir = ${library}/ceph
erasure code dir = ${library}/ceph/erasure-code
osd class dir = ${library}/rados-classes
mon data = ${home}/mon
osd data = ${home}/osd
rgw data = ${home}/rgw
osd objectstore = memstore
memstore device bytes = 8589934592
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd crush chooseleaf type = 0
mon allow pool size one = true
mon max pg per osd = 1000
mon tick interval = 1
paxos propose interval = 0.05
paxos min wait = 0.01
rgw frontends = beast endpoint=127.0.0.1:${gatewayPort}
rgw dns name = ${S3_DOMAIN}
rgw gc obj min wait = 1
rgw gc processor period = 1
`

async function answering(endpoint: string): Promise<void> {
  const until = Date.now() + START_MS
  for (;;) {
    try {
      await (await fetch(endpoint)).text()
      return
    } catch (error) {
      if (Date.now() > until) throw new Error('radosgw does not answer', { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? ''
