import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chunkReport } from './chunk-report.ts'
import { paintFor } from './paint.ts'

const output = { write() {}, columns: 34 }
const report = (pageContent: string, phrase?: string) =>
  chunkReport(
    [{ pageContent, metadata: { source: 'a.md' } }],
    output,
    paintFor(output, {}),
    phrase === undefined ? {} : { phrase },
  )

test('chunkReport() shows the first three lines of a chunk, long ones broken between words', () => {
  assert.equal(
    report('# Title\n\nWhoever comes first opens the doors and turns on the lights.\nMore'),
    '1.  a.md\n    # Title\n    Whoever comes first opens the\n    doors and turns on the lights.\n',
  )
})

test('chunkReport() shows the text around a phrase: from its line on, or from a few words before it where the line is long', () => {
  const text = `${'padding '.repeat(40)}the code word is Tern, said twice`
  assert.equal(report(text, 'Tern'), '1.  a.md\n    …the code word is Tern, said\n    twice\n')
  assert.equal(
    report('One line.\nThe code word is Tern.\nMore', 'Tern'),
    '1.  a.md\n    The code word is Tern.\n    More\n',
  )
  assert.equal(report('short text', 'absent'), '1.  a.md\n    short text\n')
})
