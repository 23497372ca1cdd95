import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import path from 'node:path'
import { test, type TestContext } from 'node:test'
import type { FileParser, FileType } from '../../src/contract/file-parser.ts'
import { createFileParser } from '../../src/formats/pool.ts'
import { fileTypeOf } from '../../src/formats/sniff.ts'
import { SluiceError } from '../../src/kit/errors.ts'
import { manifestOf } from '../support/corpus-docs.ts'

const corpus = process.env.SLUICE_CORPUS
const docs = path.join(corpus ?? '', 'docs')

/** The allowed results for a file; any other is an error of Sluice. */
const KNOWN_ENDS = new Set([
  'text',
  'empty',
  'not read',
  'file_unreadable',
  'file_encrypted',
  'file_over_limit',
])

type Outcome = { file: string; folder: string; end: string; characters: number; detail: string }

function headOf(file: string): Uint8Array {
  const head = Buffer.alloc(64 * 1024)
  const handle = openSync(file, 'r')
  try {
    return head.subarray(0, readSync(handle, head))
  } finally {
    closeSync(handle)
  }
}

async function outcomeOf(parser: FileParser, file: string, password?: string): Promise<Outcome> {
  const outcome = {
    file,
    folder: path.relative(docs, path.dirname(file)),
    end: 'empty',
    characters: 0,
    detail: '',
  }
  const name = path.basename(file)
  try {
    const type = fileTypeOf(name, headOf(file))
    if (type === undefined) return { ...outcome, end: 'not read' }
    outcome.characters = await charactersOf(parser, { path: file, name, type, password })
    return { ...outcome, end: outcome.characters > 0 ? 'text' : 'empty' }
  } catch (error) {
    const end = error instanceof SluiceError ? error.code : 'foreign error'
    return { ...outcome, end, detail: (error as Error).message }
  }
}

async function charactersOf(
  parser: FileParser,
  file: { path: string; name: string; type: FileType; password: string | undefined },
): Promise<number> {
  const { password, ...rest } = file
  let characters = 0
  let open = false
  for await (const { parts } of parser.parse({ ...rest, ...(password ? { options: { password } } : {}) })) {
    for (const part of parts) {
      characters += part.pageContent.length
      open = !part.last
      assert.ok(part.pageContent.isWellFormed() && !part.pageContent.includes('\0'), file.name)
    }
  }
  assert.equal(open, false, `${file.name}: its last document is not closed`)
  return characters
}

const passwords = (): Map<string, string> =>
  new Map(
    manifestOf(docs)
      .map(({ path: file, password }) => [file!, password!] as const)
      .filter(([, password]) => password && !password.startsWith('(')),
  )

function print(context: TestContext, outcomes: readonly Outcome[]): void {
  const folders = Object.entries(Object.groupBy(outcomes, ({ folder }) => folder))
  for (const [folder, group = []] of folders.sort()) {
    const ends = Object.entries(Object.groupBy(group, ({ end }) => end))
    const counts = ends.map(([end, all = []]) => `${end} ${all.length}`).join(', ')
    context.diagnostic(`${folder.padEnd(18)} ${String(group.length).padStart(4)} files: ${counts}`)
  }
  for (const { file, end, detail } of outcomes) {
    if (end !== 'text') context.diagnostic(`${end}: ${path.relative(docs, file)} ${detail}`)
  }
}

if (corpus === undefined || !existsSync(docs)) {
  test('the formats read the corpus', { skip: 'SLUICE_CORPUS is not set' })
} else {
  test('every file of the corpus ends as text, empty, or refused for a reason', async (context) => {
    const parser = createFileParser({ readable: [docs], size: 2 })
    const known = passwords()
    const files = readdirSync(docs, { recursive: true, withFileTypes: true })
      .filter(
        (entry) => entry.isFile() && entry.parentPath !== docs && !entry.parentPath.endsWith('expected'),
      )
      .map((entry) => path.join(entry.parentPath, entry.name))
    try {
      const outcomes = await Promise.all(
        files.map((file) => outcomeOf(parser, file, known.get(path.relative(docs, file)))),
      )
      print(context, outcomes)
      assert.deepEqual(
        outcomes.filter(({ end }) => !KNOWN_ENDS.has(end)),
        [],
      )
    } finally {
      await parser.close()
    }
  })

  test('JSON is accepted and rejected as JSONTestSuite requires', async () => {
    const folder = path.join(docs, 'json/JSONTestSuite')
    const parser = createFileParser({ readable: [folder], size: 2 })
    try {
      for (const name of readdirSync(folder).filter((file) => /^[ny]_/.test(file))) {
        const reading = charactersOf(parser, {
          path: path.join(folder, name),
          name,
          type: 'json',
          password: undefined,
        })
        if (name.startsWith('y_')) await reading
        else await assert.rejects(reading, { code: /file_(unreadable|over_limit)/ }, name)
      }
    } finally {
      await parser.close()
    }
  })

  for (const folder of ['json', 'json/JSONTestSuite', 'jsonl'])
    test(`every text, number, boolean and null of the files in ${folder} is in the text that is read`, async (context) => {
      const parser = createFileParser({ readable: [docs], size: 2 })
      try {
        let counted = 0
        for (const name of readdirSync(path.join(docs, folder))) {
          const file = path.join(docs, folder, name)
          const type = folder === 'jsonl' ? 'jsonl' : 'json'
          const texts = await textsOf(parser, { path: file, name, type }).catch(() => undefined)
          // What is not JSON is refused; of a key that is repeated in an object, JSON.parse keeps the last value.
          if (texts === undefined || name.includes('duplicated_key') || !isUtf8(readFileSync(file))) continue
          const wanted = scalarsIn(readFileSync(file, 'utf8'))
          counted += wanted.length
          assert.deepEqual(missingIn(texts, wanted), [], name)
        }
        assert.ok(counted > 50)
        context.diagnostic(`${folder}: ${counted} values`)
      } finally {
        await parser.close()
      }
    })
}

async function textsOf(
  parser: FileParser,
  file: { path: string; name: string; type: FileType },
): Promise<string[]> {
  const texts: string[] = []
  for await (const { parts } of parser.parse(file)) texts.push(...parts.map(({ pageContent }) => pageContent))
  return texts
}

/** The values of JSON or JSON Lines as they are written, found without parsing: all its tokens that are not keys. */
function scalarsIn(json: string): string[] {
  const tokens = json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*|true|false|null/g)
  return [...tokens].flatMap(([token, colon]) => {
    if (colon !== undefined) return []
    const text = token.startsWith('"') ? (JSON.parse(token) as string) : token
    const stored = text.replaceAll('\0', '').toWellFormed()
    return stored.trim() === '' ? [] : [stored]
  })
}

/** The values that no text holds, looked for in their lines first. */
function missingIn(texts: readonly string[], values: readonly string[]): string[] {
  const whole = texts.join('\n')
  const known = new Set(whole.split(/\n|: |, |; /))
  return [...new Set(values)].filter((value) => !known.has(value) && !whole.includes(value))
}
