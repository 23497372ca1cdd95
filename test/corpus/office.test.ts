import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { readDocx } from '../../src/formats/office/docx.ts'
import { readPptx } from '../../src/formats/office/pptx.ts'
import type { FormatReader } from '../../src/formats/reader.ts'
import { readXlsx } from '../../src/formats/office/xlsx.ts'
import { SluiceError } from '../../src/kit/errors.ts'
import { expectedTexts, textOfParts } from '../support/corpus-docs.ts'
import { readAll } from '../support/office-files.ts'
import { scoreText } from '../support/text-score.ts'

const READERS: Record<string, FormatReader> = { '.docx': readDocx, '.pptx': readPptx, '.xlsx': readXlsx }

/** The mean word F1 that each format keeps against texts that other tools expect. */
const FLOORS: Record<string, number> = { '.docx': 0.95, '.pptx': 0.82, '.xlsx': 0.9 }

const REFUSALS = ['file_unreadable', 'file_encrypted', 'file_over_limit']

const corpus = process.env.SLUICE_CORPUS
const docs = path.join(corpus ?? '', 'docs')

/** The Office files of a folder, as paths below `docs`. */
const filesOf = (folder: string): string[] =>
  readdirSync(path.join(docs, folder))
    .filter((name) => path.extname(name) in READERS)
    .map((name) => `${folder}/${name}`)

const read = (file: string) => readAll(READERS[path.extname(file)]!, readFileSync(path.join(docs, file)))

if (corpus === undefined) {
  test('Office readers meet the corpus', { skip: 'SLUICE_CORPUS is not set' })
} else {
  test('Office readers answer every file of the corpus with text or a refusal', async (t) => {
    const outcomes = new Map<string, number>()
    const begin = performance.now()
    const files = ['docx', 'pptx', 'xlsx', 'evil'].flatMap(filesOf)
    for (const file of files) {
      const outcome = await outcomeOf(file)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      if (/protected|encrypted/.test(file)) assert.equal(outcome, 'file_encrypted', file)
    }
    assert.ok(files.length > 0)
    const time = (performance.now() - begin) / files.length
    t.diagnostic(
      `${files.length} files, ${time.toFixed(1)} ms each: ${JSON.stringify(Object.fromEntries(outcomes))}`,
    )
  })

  for (const [extension, floor] of Object.entries(FLOORS)) {
    test(`Office readers find the words that others find in ${extension} files`, async (t) => {
      const scores = await scoresOf(t, extension)
      const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
      t.diagnostic(`${extension}: mean word F1 ${mean.toFixed(3)} over ${scores.length} files`)
      assert.ok(mean >= floor, `mean F1 ${mean} is under ${floor}`)
    })
  }
}

async function outcomeOf(file: string): Promise<string> {
  try {
    const { parts } = await read(file)
    return parts.length > 0 ? 'text' : 'empty'
  } catch (error) {
    assert.ok(error instanceof SluiceError && REFUSALS.includes(error.code), `${file}: ${error}`)
    return error.code
  }
}

async function scoresOf(t: TestContext, extension: string): Promise<number[]> {
  const scores: number[] = []
  for (const { name, type, wanted } of expectedTexts(docs)) {
    if (path.extname(name) !== extension) continue
    const { parts } = await read(name)
    const { words } = scoreText(textOfParts(type, parts), wanted)
    t.diagnostic(`${words.toFixed(3)} ${name}`)
    scores.push(words)
  }
  return scores
}
