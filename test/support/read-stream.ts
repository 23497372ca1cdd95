import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { FILE_LIMITS, type FileLimits } from '../../src/formats/limits.ts'
import type { ReaderItem, StreamReader } from '../../src/formats/reader.ts'
import { collect } from './collect.ts'

/** All items that a reader of streamed files gives for a content. */
export async function readStream(
  read: StreamReader,
  content: string | Uint8Array,
  limits: Partial<FileLimits> = {},
): Promise<ReaderItem[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-stream-'))
  try {
    const file = path.join(folder, 'file')
    writeFileSync(file, content)
    return await collect(read({ path: file, name: 'a.file' }, {}, { ...FILE_LIMITS, ...limits }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The texts of the documents that a reader of streamed files gives. */
export const streamTexts = async (read: StreamReader, content: string | Uint8Array): Promise<string[]> =>
  (await readStream(read, content)).flatMap((item) => ('pageContent' in item ? [item.pageContent] : []))
