import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Metadata } from '../../src/contract/document.ts'
import type { Dropped, FileType } from '../../src/contract/file-parser.ts'
import { FILE_LIMITS } from '../../src/formats/limits.ts'
import { readFileParts } from '../../src/formats/read-file.ts'

/** What a reader gives for a file: its documents, its notes, what was left out. */
export type ContentRead = {
  documents: { text: string; metadata: Metadata }[]
  notes: string[]
  dropped: Dropped[]
}

/** Reads content as a file of a type, in this process. @param limits those that differ */
export async function readContent(
  type: FileType,
  content: string | Uint8Array,
  limits: Partial<typeof FILE_LIMITS> = {},
): Promise<ContentRead> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-content-'))
  const name = `file.${type}`
  const file = path.join(folder, name)
  writeFileSync(file, content)
  const read: ContentRead = { documents: [], notes: [], dropped: [] }
  let open = false
  try {
    for await (const item of readFileParts({ path: file, name, type }, { ...FILE_LIMITS, ...limits })) {
      if ('note' in item) read.notes.push(item.note)
      else if ('dropped' in item) read.dropped.push(item.dropped)
      else {
        if (open) read.documents.at(-1)!.text += item.pageContent
        else read.documents.push({ text: item.pageContent, metadata: item.metadata })
        open = !item.last
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  if (open) throw new Error('the last document is not closed')
  return read
}

/** The texts of the documents of a file. */
export const textsIn = ({ documents }: ContentRead): string[] => documents.map(({ text }) => text)
