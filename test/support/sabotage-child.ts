import { readFileSync } from 'node:fs'
import type { DocumentPart } from '../../src/contract/document.ts'
import type { ParseRequest } from '../../src/contract/file-parser.ts'
import { readFileParts } from '../../src/formats/read-file.ts'
import { serveParser } from '../../src/formats/serve-parser.ts'

/** What a hostile file might make a reader do, by the name of the file; any other name is read as usual. */
const SABOTAGE: Record<string, () => unknown> = {
  pid: () => process.pid,
  'endless-loop': () => {
    for (;;);
  },
  abort: () => process.abort(),
  exit: () => process.exit(0),
  heap: () => {
    const all: number[][] = []
    for (;;) all.push(new Array(100_000).fill(0.5))
  },
  buffers: () => {
    const all: Buffer[] = []
    for (;;) all.push(Buffer.alloc(50 * 2 ** 20, 1))
  },
  throws: () => {
    throw new TypeError('the words of the document')
  },
  'reads-elsewhere': () => readFileSync('/etc/hostname', 'utf8'),
  environment: () => Object.keys(process.env).sort().join(),
  silent: () => new Promise(() => {}),
}

serveParser(async function* (request: ParseRequest) {
  if (request.name === 'endless-text') {
    const part: DocumentPart = { pageContent: 'x'.repeat(300_000), metadata: {}, last: false }
    for (let count = 0; ; count++) yield { ...part, metadata: { count } }
  }
  if (request.name === 'begun-then-silent') {
    // As much as goes out at once.
    yield { pageContent: 'x'.repeat(300_000), metadata: {}, last: false }
    await new Promise(() => {})
  }
  const sabotage = SABOTAGE[request.name]
  if (sabotage === undefined) yield* readFileParts(request)
  else yield { pageContent: String(await sabotage()), metadata: {}, last: true }
})
