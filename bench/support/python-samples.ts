import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DocumentPart } from '../../src/contract/document.ts'
import type { FileType } from '../../src/contract/file-parser.ts'
import { readFileParts } from '../../src/formats/read-file.ts'
import { orderScore, scoreText, wordsOf } from '../../test/support/text-score.ts'
import { printTable } from './table.ts'

const SCRIPT = fileURLToPath(new URL('./python-samples.py', import.meta.url))

/** Files whose score is shown: the worst. */
const SHOWN = 5

type Sample = { name: string; type: FileType; wanted: string }

/**
 * Our readers of mails and notebooks beside those of Python, on files by others; python-samples.py says which. In HTML
 * and in the text of some outputs Python keeps what we leave out.
 */
export async function comparePython(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sluice-python-'))
  try {
    const { status, error } = spawnSync('python3', [SCRIPT, folder], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    if (status !== 0)
      return console.log(`mails and notebooks: not run (${error?.message ?? 'python3 failed'})`)
    const samples = JSON.parse(readFileSync(path.join(folder, 'expected.json'), 'utf8')) as Sample[]
    const scored = []
    for (const sample of samples) {
      const text = await textOf(path.join(folder, sample.name), sample)
      const enough = wordsOf(sample.wanted).length > 0
      if (enough)
        scored.push({ ...sample, ...scoreText(text, sample.wanted), order: orderScore(text, sample.wanted) })
    }
    for (const [type, all] of Map.groupBy(scored, ({ type }) => type)) {
      const mean = (values: readonly number[]) =>
        values.reduce((sum, value) => sum + value, 0) / values.length
      const worst = all.toSorted((a, b) => a.words - b.words).slice(0, SHOWN)
      const row = (name: string | number, rows: typeof all) => [
        name,
        mean(rows.map(({ words }) => words)),
        mean(rows.map(({ triples }) => triples)),
        mean(rows.map(({ order }) => order)),
      ]
      printTable([
        [`${type}, beside Python`, 'word F1', '3-gram F1', 'order'],
        row(`${all.length} files, mean`, all),
        ...(all.length > 1 ? worst.map((one) => row(one.name, [one])) : []),
      ])
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The text of a file; of one that is refused, nothing. */
async function textOf(file: string, { name, type }: Sample): Promise<string> {
  const parts: DocumentPart[] = []
  try {
    for await (const item of readFileParts({ path: file, name, type }))
      if ('pageContent' in item) parts.push(item)
  } catch (error) {
    console.log(`  ${(error as Error).message}`)
  }
  return parts.map(({ pageContent }) => pageContent).join('\n')
}
