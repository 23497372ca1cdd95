import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { PROGRAM, room, run, start } from '../support/program.ts'

const corpus = process.env.SLUICE_CORPUS
const PAGE = path.join(import.meta.dirname, '../../docs/better-answers.md')

/** The page has every ninth question. */
const EVERY = 9

type Step = { command: string; lines: string[] }

/** The commands of the page, each with the lines that it prints. */
function stepsOf(page: string): Step[] {
  const blocks = [...page.matchAll(/^```console\n(.*?)^```$/gms)].map(([, block]) => block!)
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((one) => {
        const [command, ...lines] = one.trimEnd().split('\n')
        return { command: command!, lines }
      }),
  )
}

/** What lines of the page match: `…` is what differs from run to run, alone in its line any lines. */
const expected = (lines: readonly string[]): RegExp =>
  new RegExp(`^${lines.map((line) => (line === '…' ? '(?:.*\\n)*?' : `${literal(line)}\\n`)).join('')}$`)

const literal = (line: string): string => line.split('…').map(RegExp.escape).join('.*')

/** Documents as files, and questions as `sluice question import` reads them. */
function unpack(directory: string): void {
  const from = path.join(corpus!, 'retrieval/covidqa_longdocs')
  const rows = (file: string) => readFileSync(path.join(from, file), 'utf8').trimEnd().split('\n')
  mkdirSync(path.join(directory, 'documents'))
  mkdirSync(path.join(directory, 'questions'))
  for (const row of rows('corpus.jsonl')) {
    const { _id, title, text: body } = JSON.parse(row) as { _id: string; title: string; text: string }
    writeFileSync(path.join(directory, `documents/${_id}.txt`), `${title}\n\n${body}`)
  }
  const queries = rows('queries.jsonl').filter((_, at) => at % EVERY === 0)
  const ids = new Set(queries.map((row) => (JSON.parse(row) as { _id: string })._id))
  const judged = rows('qrels.tsv').flatMap((row) => {
    const [query, document, grade] = row.split('\t')
    return ids.has(query!) ? `${query}\t${document}.txt\t${grade}\n` : []
  })
  writeFileSync(path.join(directory, 'questions/queries.jsonl'), `${queries.join('\n')}\n`)
  writeFileSync(path.join(directory, 'questions/qrels.tsv'), judged.join(''))
}

test('a flow with poor answers is explained, changed, compared, published and better, as docs/better-answers.md has it', {
  skip: corpus ? false : 'SLUICE_CORPUS is not set',
}, async (t) => {
  const directory = room(t)
  unpack(directory)
  const { url } = await start(t, ['start'], { directory })
  const key = (await run(['key', 'new', 'me', '--scope', 'manage'], { directory })).stdout.trim()
  const bin = path.join(directory, 'sluice')
  writeFileSync(bin, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`)
  chmodSync(bin, 0o755)
  const { port } = new URL(url)
  const env = { PATH: `${directory}:${process.env.PATH}`, PORT: port, SLUICE_KEY: key }

  const steps = stepsOf(readFileSync(PAGE, 'utf8'))
  assert.ok(steps.length >= 14, `${steps.length} commands`)
  for (const { command, lines } of steps) {
    const shell = spawn('sh', ['-c', `${command} 2>&1`], { cwd: directory, env })
    const printed = await text(shell.stdout)
    assert.match(printed, expected(lines), `${command}\n${printed.slice(0, 2000)}`)
  }
})
