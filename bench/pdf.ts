import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expectedTexts } from '../test/support/corpus-docs.ts'
import { orderScore, scoreText } from '../test/support/text-score.ts'
import { readerProcess } from './support/reader-process.ts'
import { printTable } from './support/table.ts'

/*
 * Do we read a PDF in the order in which a person does? Two figures for each file: word F1, and order, which is the
 * longest common subsequence of words divided by the expected words. Beside pdf.js in the order of the file and
 * pdftotext, in the same run; files where we are furthest behind the best of the others come first. Expected texts are
 * mostly other tools' own output; some are those of pdftotext -layout, which reads across columns. A last table counts
 * the headings in our text of all PDFs, and those that are none by a rule that is not the reader's.
 */

type Score = { words: number; order: number }
type Read = (file: string) => Promise<string> | string

export async function run(): Promise<void> {
  const corpus = process.env.SLUICE_CORPUS
  if (corpus === undefined) return console.log('not run: SLUICE_CORPUS must name the folder of the corpus')
  const children = ['sluice', 'pdf.js alone'].map((name) => ({ name, child: readerProcess(name) }))
  const readers = new Map<string, Read>(
    children.map(({ name, child }) => [
      name,
      async (file) => {
        const answer = await child.read(file)
        return 'failed' in answer ? '' : answer.text
      },
    ]),
  )
  if (hasPdftotext()) {
    readers.set('pdftotext', (file) => pdftotext(file))
    readers.set('pdftotext -layout', (file) => pdftotext('-layout', file))
  } else console.log('pdftotext is not there: see tools/provide.sh')
  try {
    const texts = expectedTexts(path.join(corpus, 'docs')).filter(({ type }) => type === 'pdf')
    const scores: { name: string; all: Score[] }[] = []
    for (const { file, name, wanted } of texts) {
      const all: Score[] = []
      for (const read of readers.values()) {
        const got = await read(file)
        all.push({ words: scoreText(got, wanted).words, order: orderScore(got, wanted) })
      }
      scores.push({ name: path.basename(name), all })
    }
    print([...readers.keys()], scores)
    await printHeadings(path.join(corpus, 'docs/pdf'), readers.get('sluice')!)
  } finally {
    for (const { child } of children) child.close()
  }
}

function print(readers: readonly string[], scores: readonly { name: string; all: Score[] }[]): void {
  const behind = ({ all: [ours, ...others] }: { all: Score[] }) =>
    Math.max(...others.map(({ order }) => order)) - ours!.order
  const rows = scores.toSorted((a, b) => behind(b) - behind(a))
  const mean = readers.map((_, reader) => ({
    words: average(scores.map(({ all }) => all[reader]!.words)),
    order: average(scores.map(({ all }) => all[reader]!.order)),
  }))
  printTable([
    ['word F1 / order', ...readers],
    ...rows.map(({ name, all }) => [name, ...all.map(shown)]),
    [`mean of ${scores.length} files`, ...mean.map(shown)],
  ])
}

async function printHeadings(folder: string, read: Read): Promise<void> {
  const rows: { name: string; count: number; wrong: string[] }[] = []
  for (const name of readdirSync(folder)) {
    const outside = (await read(path.join(folder, name))).replaceAll(/^```$.*?^```$/gms, '')
    const headings = [...outside.matchAll(/^#{1,3} (.*)$/gm)].map(([, text]) => text!.trim())
    rows.push({ name, count: headings.length, wrong: headings.filter(isNoHeading) })
  }
  const total = (of: (row: (typeof rows)[number]) => number) => rows.reduce((sum, row) => sum + of(row), 0)
  printTable([
    ['file', 'headings', 'that are sentences, items, formulas'],
    ...rows
      .filter(({ wrong }) => wrong.length > 0)
      .sort((a, b) => b.wrong.length - a.wrong.length)
      .map(({ name, count, wrong }) => [name, count, wrong.length]),
    [`all ${rows.length} files`, total(({ count }) => count), total(({ wrong }) => wrong.length)],
  ])
}

/** A paragraph of 22 words or more, a sentence, two sentences, a list item, a line of contents or a formula. */
function isNoHeading(text: string): boolean {
  const words = text.split(/\s+/)
  return (
    words.length >= 22 ||
    (words.length >= 4 && /[^.][.,;:]["”)]?$/.test(text)) ||
    (words.length >= 6 && /[a-z]{3}[.!?] [A-Z]/.test(text)) ||
    /^(?:[•‣▪●◦–-]|#) /.test(text) ||
    /(?:\. ?){4}/.test(text) ||
    !/[\p{L}\d]{2}/u.test(text)
  )
}

const shown = ({ words, order }: Score): string => `${words.toFixed(3)} / ${order.toFixed(3)}`

const average = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

const pdftotext = (...given: string[]): string =>
  execFileSync('pdftotext', [...given, '-'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 27,
    stdio: ['ignore', 'pipe', 'ignore'],
  })

function hasPdftotext(): boolean {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

if (import.meta.main) await run()
