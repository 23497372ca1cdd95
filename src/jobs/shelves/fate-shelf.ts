import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import type { BlobShelf, BlobSource } from '../../contract/blob-shelf.ts'
import { DATA_FILES } from '../../contract/data-files.ts'
import { FATED_TEXT, type FatedChunk, type FateShelf, type FateWriter } from '../../contract/dry-run.ts'
import { FateList, type SourceBlocks } from './fate-list.ts'

/** After so many bytes of rows, texts are left out. */
const TEXT_BYTES = 256 * 2 ** 20

const BELOW = `${DATA_FILES.dryRuns}/`

type Row = Omit<FatedChunk, 'source'>

/** A list that is being written: its rows so far can be read. */
type OpenList = { list: FateList; written: Promise<void>; file: string }

/** The rows of a list, by place and length in bytes. */
type ReadableList = { list: FateList; read(at: number, bytes: number): Promise<Buffer> }

/**
 * Lists of dry runs on a shelf: the rows of a job as JSON lines, and an index of them.
 *
 * @param scratch the folder of lists that are being written
 */
export function fateShelf(blobs: BlobShelf, scratch: string): FateShelf {
  const opened = new Map<string, OpenList>()
  const rowsOf = (job: string) => `${BELOW}${job}/rows`
  const indexOf = (job: string) => `${BELOW}${job}/index.json`
  const removeList = (job: string) => blobs.remove([indexOf(job), rowsOf(job)])

  async function listOf(job: string): Promise<ReadableList | undefined> {
    const now = opened.get(job)
    if (now) {
      await now.written
      return { list: now.list, read: (at, bytes) => readFrom(now.file, at, bytes) }
    }
    const index = await blobs.get(indexOf(job))
    // There was no such dry run, or its list is removed.
    if (!index) return undefined
    const list = new FateList(JSON.parse(await text(index.content)) as SourceBlocks[])
    return {
      list,
      async read(at, bytes) {
        const rows = await blobs.get(rowsOf(job), { start: at, end: at + bytes })
        return rows ? buffer(rows.content) : Buffer.alloc(0)
      },
    }
  }

  /** Puts an ended list onto the shelf, the index last. */
  async function store(job: string, { list, file }: OpenList, bytes: number): Promise<void> {
    const index = Buffer.from(JSON.stringify(list.sources))
    await blobs.put(rowsOf(job), { size: bytes, path: file, open: () => createReadStream(file) })
    await blobs.put(indexOf(job), memorySource(index))
    opened.delete(job)
    await rm(file, { force: true })
  }

  return {
    async open(job) {
      await removeList(job)
      await mkdir(scratch, { recursive: true, mode: 0o700 })
      const file = path.join(scratch, `fates-${job}`)
      const state: OpenList = { list: new FateList(), written: Promise.resolve(), file }
      const handle = await open(file, 'w', 0o600)
      opened.set(job, state)
      return writer(handle, state, (bytes) => store(job, state, bytes))
    },

    async sources(job, { offset, limit, largestFirst = false }) {
      const found = await listOf(job)
      if (!found) return undefined
      const sources = largestFirst ? found.list.largestFirst : found.list.sources
      const rows = sources.slice(offset, offset + limit).map((source) => found.list.count(source))
      return { rows, total: sources.length }
    },

    async chunks(job, page) {
      const readable = await listOf(job)
      if (!readable) return undefined
      const { found, skip, total } = readable.list.find(page)
      const rows: FatedChunk[] = []
      for (const { blocks, block, firstRow } of found) {
        const lines = (await readable.read(block.at, block.bytes)).toString('utf8').trimEnd().split('\n')
        const revoked = new Set(blocks.revoked)
        for (const [i, line] of lines.entries()) {
          const row = JSON.parse(line) as Row
          const fate = revoked.has(firstRow + i) ? 'added' : row.fate
          if (page.fate === undefined || page.fate === fate)
            rows.push({ source: blocks.source, ...row, fate })
        }
      }
      return { rows: rows.slice(skip, skip + page.limit), total }
    },

    async sweep(since, bytes) {
      const lists = new Map<string, { time: number; size: number }>()
      for await (const batch of blobs.list(BELOW))
        for (const { name, size, changedAt } of batch) {
          const job = name.slice(BELOW.length).split('/', 1)[0]!
          const { time, size: before } = lists.get(job) ?? { time: 0, size: 0 }
          lists.set(job, { time: Math.max(time, changedAt), size: before + size })
        }
      let kept = 0
      for (const [job, { time, size }] of [...lists].toSorted(([, a], [, b]) => b.time - a.time)) {
        if (opened.has(job)) continue
        kept += size
        if (time < since || kept > bytes) await removeList(job)
      }
    },
  }
}

function writer(file: FileHandle, state: OpenList, end: (bytes: number) => Promise<void>): FateWriter {
  const { list } = state
  let bytes = 0

  async function write(
    source: string,
    rows: readonly Row[],
    keys?: readonly (string | undefined)[],
  ): Promise<void> {
    const lines = rows
      .map(({ text, ...row }) =>
        JSON.stringify({ ...row, text: bytes < TEXT_BYTES ? (text?.slice(0, FATED_TEXT) ?? null) : null }),
      )
      .join('\n')
    const block = Buffer.from(`${lines}\n`)
    await file.appendFile(block)
    list.add(source, { at: bytes, bytes: block.length }, rows, keys)
    bytes += block.length
  }

  return {
    add(source, rows, keys) {
      if (rows.length === 0) return state.written
      const added = state.written.then(() => write(source, rows, keys))
      // A failure ends the dry run by this promise; the next call must not fail for it again.
      state.written = added.catch(() => {})
      return added
    },
    revokeUpdate: (source, key) => {
      state.written = state.written.then(() => list.revokeUpdate(source, key))
    },
    async totals() {
      await state.written
      return list.totals()
    },
    async close() {
      await state.written
      await file.close()
      await end(bytes)
    },
  }
}

const memorySource = (bytes: Buffer): BlobSource => ({
  size: bytes.length,
  open: () => Readable.from([bytes]),
})

async function readFrom(file: string, at: number, bytes: number): Promise<Buffer> {
  await using handle = await open(file, 'r')
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, at)
  return buffer.subarray(0, bytesRead)
}
