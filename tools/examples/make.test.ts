import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { DOCUMENTS } from './make.ts'

const examples = path.join(import.meta.dirname, '../../examples')
const documents = path.join(examples, 'documents')

type Question = { question: string; file: string; answer: string; demo?: true }
const questions = JSON.parse(readFileSync(path.join(examples, 'questions.json'), 'utf8')) as Question[]

for (const [name, made] of Object.entries(DOCUMENTS))
  test(`${name} is what its source makes`, () => {
    assert.deepEqual(contentOf(made), contentOf(readFileSync(path.join(documents, name))))
  })

test('writeZip() gives parts that another reader finds through the directory at the end', () => {
  const file = DOCUMENTS['supplier-contract.docx']!
  const end = file.length - 22
  assert.equal(file.readUInt32LE(end), 0x06054b50)
  let at = file.readUInt32LE(end + 16)
  const names = Array.from({ length: file.readUInt16LE(end + 10) }, () => {
    assert.equal(file.readUInt32LE(at), 0x02014b50)
    assert.equal(file.readUInt32LE(file.readUInt32LE(at + 42)), 0x04034b50)
    const length = file.readUInt16LE(at + 28)
    at += 46 + length
    return file.toString('utf8', at - length, at)
  })
  assert.deepEqual(names.slice(0, 2), ['[Content_Types].xml', '_rels/.rels'])
  assert.deepEqual(names, Object.keys(contentOf(file)))
})

test('pdf() gives a table in which each object begins where it says', () => {
  const file = DOCUMENTS['safety-manual.pdf']!.toString('latin1')
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)![1])
  const rows = file.slice(table).match(/\d{10} 00000 n /g)!
  assert.ok(rows.length > 10)
  for (const [index, row] of rows.entries())
    assert.ok(file.startsWith(`${index + 1} 0 obj\n`, Number(row.slice(0, 10))), row)
})

test('every sample document is asked about, none is large', () => {
  const names = readdirSync(documents)
  assert.deepEqual([...new Set(questions.map(({ file }) => file))].sort(), names.sort())
  for (const name of names) assert.ok(statSync(path.join(documents, name)).size < 300_000, name)
})

for (const { question, file, answer } of questions)
  test(`${file} alone answers "${question}"`, () => {
    const holders = readdirSync(documents).filter((name) => textOf(name).includes(answer))
    assert.deepEqual(holders, [file])
  })

test('the demo asks the PDF, the contract and the tickets', () => {
  assert.deepEqual(
    questions.filter(({ demo }) => demo).map(({ file }) => file),
    ['safety-manual.pdf', 'supplier-contract.docx', 'tickets.jsonl'],
  )
})

/** What a person reads in a document: the file itself, or the source it is made from. */
function textOf(name: string): string {
  const made = name in DOCUMENTS
  const file = made
    ? path.join(import.meta.dirname, 'sources', `${path.parse(name).name}.md`)
    : path.join(documents, name)
  return readFileSync(file, 'utf8')
}

/** The parts of a ZIP by name, or the whole of any other file: compressed bytes may differ from one zlib to another. */
function contentOf(file: Buffer): Record<string, string> {
  const parts: Record<string, string> = {}
  let at = 0
  while (file.readUInt32LE(at) === 0x04034b50) {
    const [packed, name] = [file.readUInt32LE(at + 18), file.readUInt16LE(at + 26)]
    const start = at + 30 + name
    parts[file.toString('utf8', at + 30, start)] = inflateRawSync(
      file.subarray(start, start + packed),
    ).toString()
    at = start + packed
  }
  return at === 0 ? { file: file.toString('latin1') } : parts
}
