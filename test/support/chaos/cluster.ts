import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { openPostgres, type PostgresDatabase } from '../../../src/db/postgres/database.ts'
import { newPostgres, postgresServer } from '../postgres.ts'
import { type ProviderServer, startProviderServer } from '../provider-server.ts'
import { newBucketUrl } from '../s3-server.ts'
import { type FailingProxy, failingProxy } from './failing-proxy.ts'
import type { MemberOrder } from './member-program.ts'
import type { Boundary } from './statements.ts'

const PROGRAM = fileURLToPath(new URL('./member-program.ts', import.meta.url))

/** How often a member is started again that cannot reach the database. */
const STARTS = 20

export const CLUSTER_KEY = 'the-management-key-of-the-tests'

/** A job that runs, its number of changes at that time, and the id of its member in the database. */
export type RunningJob = { id: string; changes: number; member: number }

export type ServerOfCluster = {
  place: number
  url: string
  state: 'up' | 'frozen' | 'down'
  /** The connections of this member to PostgreSQL. */
  proxy: FailingProxy
  process: ChildProcess
  folder: string
}

export type ClusterOptions = {
  members: number
  hasFence?: boolean
}

/** Servers in processes of their own over one database, one bucket and one embedding provider. */
export type Cluster = Awaited<ReturnType<typeof startCluster>>

export async function startCluster({ members: count, hasFence = true }: ClusterOptions) {
  const home = mkdtempSync(path.join(tmpdir(), 'sluice-cluster-'))
  const server = await postgresServer()
  const [{ address, drop }, bucket, provider] = await Promise.all([
    newPostgres(),
    newBucketUrl(),
    startProviderServer(),
  ])
  const database: PostgresDatabase = await openPostgres(address, { program: 'test' })
  const members: ServerOfCluster[] = []
  let isClosed = false

  async function spawnMember(folder: string, port: number) {
    const through = new URL(address)
    through.port = String(port)
    const settings = {
      ...{ PORT: '0', DATA_DIR: folder, ADMIN_KEY: CLUSTER_KEY, DATABASE_URL: through.href },
      ...{ SECRET_KEY: 'the-secret-of-the-test-nodes', BLOB_URL: bucket },
    }
    for (let start = 1; ; start++) {
      const child = fork(PROGRAM, [JSON.stringify(settings), hasFence ? 'fenced' : 'unfenced'], {
        stdio: ['ignore', 'ignore', process.env.CHAOS_LOG ? 'inherit' : 'ignore', 'ipc', 'pipe'],
        env: {
          // Of a run of many files: a process that is killed leaves no compiled modules to the next one.
          NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(home, 'compile-cache'),
          CHAOS_LOG: process.env.CHAOS_LOG ?? '',
        },
      })
      const begun = await Promise.race([
        once(child, 'message').then(([message]) => message as { url: string }),
        once(child, 'exit').then(() => undefined),
      ])
      if (begun) return { child, url: begun.url.replace('0.0.0.0', '127.0.0.1') }
      if (start === STARTS || isClosed) throw new Error('a node did not start')
    }
  }

  async function startMember(place: number): Promise<void> {
    const folder = path.join(home, `node-${place}`)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const proxy = members[place]?.proxy ?? (await failingProxy(server.port))
    const { child, url } = await spawnMember(folder, proxy.port)
    members[place] = { place, url, state: 'up', proxy, process: child, folder }
  }

  async function gone(child: ChildProcess): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  /**
   * Resolves when a member has come to a boundary, where it has ended or stopped itself, with the id of the job if that is known, or '';
   * with undefined where `signal` aborts before.
   */
  async function atBoundary(
    member: ServerOfCluster,
    order: { boundary: Boundary; signal: 'SIGKILL' | 'SIGSTOP' },
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const said = member.process.stdio[4] as Readable
    const send = (next: MemberOrder) => {
      if (member.process.connected) member.process.send(next)
    }
    send(order)
    try {
      const [line] = (await once(said, 'data', { signal })) as [Buffer]
      return line.toString().trim()
    } catch {
      send('none')
      return undefined
    }
  }

  for (let place = 0; place < count; place++) await startMember(place)

  return {
    members,
    database,
    provider: provider as ProviderServer,
    bucketUrl: bucket,
    bucket: new URL(bucket).pathname.slice(1),
    address,
    atBoundary,
    crashPostgres: () => server.crash(),

    up: (): ServerOfCluster[] => members.filter(({ state }) => state === 'up'),

    /** Waits until a killed member is gone, and starts it again on its folder. */
    async restart(member: ServerOfCluster): Promise<void> {
      member.state = 'down'
      await gone(member.process)
      await startMember(member.place)
    },

    /** The jobs that run on a member. */
    jobsOf: (member: ServerOfCluster): Promise<RunningJob[]> =>
      database.reader.all<RunningJob>(
        `SELECT jobs.id, jobs.turn AS changes, nodes.id AS member FROM nodes JOIN lanes ON lanes.node = nodes.id
           JOIN jobs ON jobs.lane = lanes.lane AND jobs.state = 'running'
         WHERE nodes.name = $1`,
        `${hostname()}:${member.process.pid}`,
      ),

    /** The folders of uploads that members hold on their disks. */
    spooled: (): string[] =>
      members
        .map(({ folder }) => path.join(folder, 'uploads'))
        .filter((folder) => existsSync(folder))
        .flatMap((folder) => readdirSync(folder)),

    home,

    async close(): Promise<void> {
      isClosed = true
      for (const { process: child } of members) child.kill('SIGKILL')
      await Promise.all(members.map((member) => gone(member.process)))
      for (const { proxy } of members) proxy.close()
      provider.close()
      await database.close()
      await drop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
