import { realpathSync } from 'node:fs'
import path from 'node:path'
import { createOcr } from '../formats/pdf/ocr-program.ts'
import { withPlainTextInProcess } from '../formats/plain-text.ts'
import { createFileParser } from '../formats/pool.ts'
import type { Config } from '../kit/config.ts'
import type { Closing } from './closing.ts'
import type { OpenDirectory } from './data-directory.ts'

/** The readers of files, and the folders that they and nodes may read. */
export function openReaders(config: Config, { uploads, scratch }: OpenDirectory, closing: Closing) {
  const folders = {
    allowed: config.FOLDER_ALLOW.map((folder) => path.resolve(folder)),
    never: [config.DATA_DIR],
  }
  const readable = [uploads, scratch, ...withoutLinks(folders.allowed)]
  const ocr = createOcr({ program: config.TESSERACT, pages: config.OCR_PAGES })
  const parser = withPlainTextInProcess(createFileParser({ readable, ocr }), readable)
  closing.add('readers', () => parser.close())
  return { parser, folders, scratch }
}

/** The real paths of folders, without those that do not exist. */
function withoutLinks(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => {
    try {
      return [realpathSync(folder)]
    } catch {
      return []
    }
  })
}
