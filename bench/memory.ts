import { createReadStream, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { bytesOfNamespace } from '../test/support/namespace-memory.ts'
import { connectTo } from '../src/cli/http.ts'
import { multipart } from '../src/cli/multipart.ts'
import { watchMemory } from './support/process-tree.ts'
import { prose } from './support/prose.ts'
import { startServer } from './support/server.ts'
import { printTable } from './support/table.ts'

/** The sizes of a text file, in megabytes; the last is compared with the first. */
const MEGABYTES = [10, Number(process.env.BENCH_MB ?? 1000)]
const SMALL_FILES = 1000

/** How many namespaces of so many chunks are searched by one process. */
const NAMESPACES: readonly { chunks: number; namespaces: number }[] = [
  { chunks: 1, namespaces: 3000 },
  { chunks: 10, namespaces: 1000 },
  { chunks: 100, namespaces: 300 },
  { chunks: 1000, namespaces: 60 },
]

/**
 * What a namespace takes in memory by its number of chunks, and the peak memory of the server and its parsers while a file of 10 MB and
 * one of 1 GB (`BENCH_MB`; none for 0) are loaded over HTTP.
 */
export async function run(): Promise<void> {
  await ofNamespaces()
  if (MEGABYTES.at(-1) !== 0) await ofLoads()
}

async function ofNamespaces(): Promise<void> {
  const rows: (string | number)[][] = [
    ['chunks a namespace', 'namespaces', 'bytes of heap each', 'counted for IMAGE_MEMORY', 'resident'],
  ]
  for (const { chunks, namespaces } of NAMESPACES) {
    const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
    try {
      const { heap, counted, resident } = await bytesOfNamespace(folder, { namespaces, chunks })
      rows.push([chunks, namespaces, heap, counted, resident])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  printTable(rows)
  console.log()
}

async function ofLoads(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-bench-'))
  const rows: (string | number)[][] = [
    ['upload', 'MB', 'chunks', 'seconds', 'chunks/s', 'peak RSS MB', 'server', 'parsers'],
  ]
  const peaks: number[] = []
  try {
    for (const megabytes of MEGABYTES) {
      const row = await measure(folder, `one file`, [
        await textFile(path.join(folder, 'large.txt'), megabytes),
      ])
      rows.push(row)
      peaks.push(row[5] as number)
    }
    const small = path.join(folder, 'small')
    mkdirSync(small)
    const files: string[] = []
    for (let i = 0; i < SMALL_FILES; i++)
      files.push(await textFile(path.join(small, `${i}.txt`), 0.01, i * 100))
    rows.push(await measure(folder, `${SMALL_FILES} files`, files))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  printTable(rows)
  console.log()
  printTable([[`${MEGABYTES.at(-1)} MB to ${MEGABYTES[0]} MB, times`, peaks.at(-1)! / peaks[0]!]])
}

/** A text of paragraphs that are not repeated. */
async function textFile(file: string, megabytes: number, seed = 1): Promise<string> {
  const handle = await open(file, 'w')
  try {
    for (let left = megabytes * 1e6, part = seed; left > 0; left -= 1e6, part++)
      await handle.write(`${prose(Math.min(left, 1e6), part)}\n\n`)
  } finally {
    await handle.close()
  }
  return file
}

async function measure(folder: string, title: string, files: string[]): Promise<(string | number)[]> {
  const data = path.join(folder, 'data')
  const server = await startServer(data)
  try {
    const peak = watchMemory(server.pid)
    const began = performance.now()
    const uploads = files.map((file) => ({
      name: path.basename(file),
      from: file,
      size: statSync(file).size,
      open: () => createReadStream(file) as AsyncIterable<Buffer>,
    }))
    const body = multipart([], uploads)
    const answer = await connectTo(new URL(server.url)).send('POST', 'vector/upsert/quickstart', body)
    const seconds = (performance.now() - began) / 1000
    const { numAdded } = answer as { numAdded: number }
    const { total, own, below } = peak()
    const size = uploads.reduce((sum, upload) => sum + upload.size, 0) / 1e6
    return [title, size, numAdded, seconds, numAdded / seconds, total, own, below]
  } finally {
    await server.stop()
    for (const gone of [data, ...files]) rmSync(gone, { recursive: true, force: true })
  }
}

if (import.meta.main) await run()
