import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { paragraphLines, type PdfPage, type PdfPicture } from './pdf-writer.ts'

/** The text of {@link scannedWords}. */
export const SCANNED = [
  'Der Zeltplatz am See ist von Mai bis September offen.',
  'Gäste melden sich bei der Platzwartin Grünwald an.',
  'Hunde dürfen mit, wenn sie an der Leine sind.',
]

/** Three lines of German as a scanner at 150 dpi gives them, in bits. */
export function scannedWords(): PdfPicture {
  const file = gunzipSync(readFileSync(new URL('../fixtures/scanned-words.pbm.gz', import.meta.url)))
  const [head, width, height] = /^P4\s+(\d+) (\d+)\s/.exec(file.toString('latin1', 0, 30))!
  const data = file.subarray(head.length).map((byte) => ~byte & 255)
  const [wide, high] = [Number(width), Number(height)].map((pixels) => (pixels / 150) * 72)
  return {
    ...{ width: Number(width), height: Number(height), data, bits: true },
    matrix: [wide!, 0, 0, high!, 72, 600],
  }
}

export const scannedPage = (): PdfPage => ({ lines: [], pictures: [scannedWords()] })
export const textPage = (words: string): PdfPage => ({ lines: paragraphLines([words]) })

/** Where the program tesseract is, with German; undefined where it is not. */
export function tesseractPath(): string | undefined {
  try {
    const listed = execFileSync('tesseract', ['--list-langs'], { encoding: 'utf8', stdio: 'pipe' })
    return /^deu$/m.test(listed) ? 'tesseract' : undefined
  } catch {
    return undefined
  }
}

type Ending = { after(work: () => void): void }

/** A program in place of tesseract, in the language of the shell: it lists its languages as the real one does. */
export function writeProgram(t: Ending, body: string, languages = 'deu\neng\nosd'): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-tesseract-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'tesseract')
  const list = `if [ "$1" = --list-langs ]; then printf 'List of languages:\\n${languages.replaceAll('\n', '\\n')}\\n'; exit; fi`
  writeFileSync(file, `#!/bin/sh\n${list}\n${body}\n`)
  chmodSync(file, 0o755)
  return file
}

/** Words as tesseract writes them, all on one line, with a confidence of 90. */
export const tsv = (words: string): string =>
  ['level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext']
    .concat(words.split(' ').map((word, at) => `5\t1\t1\t1\t1\t${at + 1}\t0\t0\t9\t9\t90\t${word}`))
    .join('\n')

/** A program that reads the whole page and says so many words of it. */
export const saying = (words: string): string => `cat >/dev/null; cat <<'END'\n${tsv(words)}\nEND`
