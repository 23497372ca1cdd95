import { type FileHandle, mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { FATED_TEXT, type FatedChunk, type FateShelf, type FateWriter } from '../contract/dry-run.ts'
import { FateList, type SourceBlocks } from './fate-list.ts'

/** After so many bytes of rows, texts are left out. */
const TEXT_BYTES = 256 * 2 ** 20

type Row = Omit<FatedChunk, 'source'>

/** A list that is being written: its rows so far can be read. */
type OpenList = { list: FateList; written: Promise<void> }

/** Lists of dry runs in a local directory: a folder per job, with the rows as JSON lines and an index of them. */
export function directoryFateShelf(directory: string): FateShelf {
  const opened = new Map<string, OpenList>()
  const folderOf = (job: string) => path.join(directory, job)
  const rowsOf = (job: string) => path.join(folderOf(job), 'rows')
  const indexOf = (job: string) => path.join(folderOf(job), 'index.json')

  async function listOf(job: string): Promise<FateList | undefined> {
    const now = opened.get(job)
    if (now) {
      await now.written
      return now.list
    }
    try {
      return new FateList(JSON.parse(await readFile(indexOf(job), 'utf8')) as SourceBlocks[])
    } catch {
      // There was no such dry run, or its list is removed.
      return undefined
    }
  }

  return {
    async open(job) {
      await rm(folderOf(job), { recursive: true, force: true })
      await mkdir(folderOf(job), { recursive: true, mode: 0o700 })
      const file = await open(rowsOf(job), 'w', 0o600)
      return writer(file, {
        opened: (list) => void opened.set(job, list),
        async end(list) {
          await writeFile(indexOf(job), JSON.stringify(list.sources), { mode: 0o600 })
          opened.delete(job)
        },
      })
    },

    async sources(job, { offset, limit }) {
      const list = await listOf(job)
      if (!list) return undefined
      const { sources } = list
      const rows = sources.slice(offset, offset + limit).map((source) => list.count(source))
      return { rows, total: sources.length }
    },

    async chunks(job, page) {
      const list = await listOf(job)
      if (!list) return undefined
      const { found, skip, total } = list.find(page)
      const rows: FatedChunk[] = []
      if (found.length === 0) return { rows, total }
      const file = await open(rowsOf(job), 'r')
      try {
        for (const { blocks, block, firstRow } of found) {
          const { buffer } = await file.read(Buffer.alloc(block.bytes), 0, block.bytes, block.at)
          const lines = buffer.toString('utf8').trimEnd().split('\n')
          const revoked = new Set(blocks.revoked)
          for (const [i, line] of lines.entries()) {
            const row = JSON.parse(line) as Row
            const fate = revoked.has(firstRow + i) ? 'added' : row.fate
            if (page.fate === undefined || page.fate === fate)
              rows.push({ source: blocks.source, ...row, fate })
          }
        }
      } finally {
        await file.close()
      }
      return { rows: rows.slice(skip, skip + page.limit), total }
    },

    async prune(since, bytes) {
      const lists = await Promise.all((await namesIn(directory)).map((job) => ageOf(job)))
      let kept = 0
      for (const { job, time, size } of lists.toSorted((a, b) => b.time - a.time)) {
        if (opened.has(job)) continue
        kept += size
        if (time < since || kept > bytes) await rm(folderOf(job), { recursive: true, force: true })
      }
    },
  }

  async function ageOf(job: string): Promise<{ job: string; time: number; size: number }> {
    try {
      const { mtimeMs, size } = await stat(rowsOf(job))
      return { job, time: mtimeMs, size }
    } catch {
      return { job, time: 0, size: 0 }
    }
  }
}

function writer(
  file: FileHandle,
  { opened, end }: { opened(list: OpenList): void; end(list: FateList): Promise<void> },
): FateWriter {
  const list = new FateList()
  const state: OpenList = { list, written: Promise.resolve() }
  let bytes = 0
  opened(state)

  async function write(source: string, rows: readonly Row[], keys?: readonly string[]): Promise<void> {
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
    async close() {
      await state.written
      await file.close()
      await end(list)
    },
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch {
    // The directory is made by the first dry run.
    return []
  }
}
