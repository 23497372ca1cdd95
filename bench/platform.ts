import { spawn } from 'node:child_process'
import { copyFileSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { residentOf } from './support/process-tree.ts'
import { programsIn } from './support/programs.ts'
import { startServer } from './support/server.ts'
import { median, printTable } from './support/table.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const RUNS = 5

type Start = { toAnswer: number; idleMb: number }

/** How long a person waits for the first answer, the server's memory at rest, and what is installed. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  try {
    const table: (string | number)[][] = [
      [`${RUNS} starts each`, 'to first answer ms', 'longest', 'idle RSS MB', 'largest'],
    ]
    const row = (name: string, starts: Start[]) => [
      name,
      median(starts.map((one) => one.toAnswer)),
      Math.max(...starts.map((one) => one.toAnswer)),
      median(starts.map((one) => one.idleMb)),
      Math.max(...starts.map((one) => one.idleMb)),
    ]
    for (const { name, program } of programsIn(folder)) {
      const first: Start[] = []
      const again: Start[] = []
      // Fills the compile cache.
      await start(program, path.join(folder, `${name}-warm`))
      for (let i = 0; i < RUNS; i++) {
        const data = path.join(folder, `${name}-${i}`)
        first.push(await start(program, data))
        again.push(await start(program, data))
      }
      table.push(row(`${name}, new data directory`, first), row(`${name}, existing one`, again))
    }
    printTable(table)
    console.log()
    printTable([
      ['installed with npm ci --omit=dev', 'MB', 'packages'],
      ['node_modules', ...(await installed(folder))],
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function start(program: string, data: string): Promise<Start> {
  const began = performance.now()
  const server = await startServer(data, [], {}, program)
  try {
    await (await fetch(`${server.url}/api/v1/ping`)).text()
    const toAnswer = performance.now() - began
    await setTimeout(1500)
    return { toAnswer, idleMb: residentOf(server.pid).own }
  } finally {
    await server.stop()
  }
}

async function installed(folder: string): Promise<[megabytes: number, packages: number]> {
  const place = mkdtempSync(path.join(folder, 'install-'))
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(path.join(ROOT, name), path.join(place, name))
  cpSync(path.join(ROOT, 'tools/no-canvas'), path.join(place, 'tools/no-canvas'), { recursive: true })
  const code = await new Promise((resolve) =>
    spawn('npm', ['ci', '--omit=dev', '--ignore-scripts'], { cwd: place, stdio: 'ignore' }).once(
      'exit',
      resolve,
    ),
  )
  if (code !== 0) return [Number.NaN, Number.NaN]
  const files = readdirSync(place, { recursive: true, withFileTypes: true })
  const bytes = files.reduce(
    (sum, file) => sum + (file.isFile() ? statSync(path.join(file.parentPath, file.name)).size : 0),
    0,
  )
  const packages = files.filter(
    (file) => file.name === 'package.json' && /node_modules\/(@[^/]+\/)?[^/]+$/.test(file.parentPath),
  )
  return [bytes / 1e6, packages.length]
}

if (import.meta.main) await run()
