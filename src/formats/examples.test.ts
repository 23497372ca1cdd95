import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { collect } from '../../test/support/collect.ts'
import { readFileParts } from './read-file.ts'
import { fileTypeOf } from './sniff.ts'

const examples = path.join(import.meta.dirname, '../../examples')
const documents = path.join(examples, 'documents')

type Question = { question: string; file: string; answer: string; demo?: true }
const questions = JSON.parse(readFileSync(path.join(examples, 'questions.json'), 'utf8')) as Question[]

/** The text of each sample document, as its reader gives it, in one line. */
const texts = new Map<string, string>()
for (const name of readdirSync(documents)) {
  const file = path.join(documents, name)
  const type = fileTypeOf(name, readFileSync(file))!
  const items = await collect(readFileParts({ path: file, name, type }))
  const text = items.map((item) => ('pageContent' in item ? item.pageContent : '')).join(' ')
  texts.set(name, text.replace(/\s+/g, ' '))
}

for (const { question, file, answer } of questions)
  test(`readFileParts() of ${file} alone gives the answer to "${question}"`, () => {
    const holders = [...texts].filter(([, text]) => text.includes(answer)).map(([name]) => name)
    assert.deepEqual(holders, [file])
  })

test('questions.json has questions of the demo about the PDF, the contract and the tickets', () => {
  assert.deepEqual(
    questions.filter(({ demo }) => demo).map(({ file }) => file),
    ['safety-manual.pdf', 'supplier-contract.docx', 'tickets.jsonl'],
  )
})
