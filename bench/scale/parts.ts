import { connectTo } from '../../src/cli/http.ts'
import { multipart } from '../../src/cli/multipart.ts'
import { languageText } from '../support/language.ts'

/** Below the chunk size of the flow, and with the next paragraph above it: a paragraph is a chunk. */
const CHARACTERS = 800

/** Some files of one upsert: their names and their texts, in UTF-8. */
export type Part = { chunks: number; files: { name: string; bytes: Buffer }[] }

/** A part with texts of these numbers, in so many files. No file of a part is on disk before the server has it. */
export function partOf(name: string, first: number, chunks: number, files: number): Part {
  const each = Math.ceil(chunks / files)
  const made = []
  for (let file = 0; file * each < chunks; file++) {
    const texts: string[] = []
    for (let at = file * each; at < Math.min(chunks, (file + 1) * each); at++)
      texts.push(languageText(first + at, CHARACTERS))
    made.push({ name: `${name}-${file}.txt`, bytes: Buffer.from(texts.join('\n\n')) })
  }
  return { chunks, files: made }
}

export type UpsertAnswer = { numAdded: number; numDeleted: number; jobId: string }

/** Sends a part; `wait`: until it is published, otherwise until its job is stored. */
export async function sendPart(url: string, part: Part, wait = true): Promise<UpsertAnswer> {
  const uploads = part.files.map(({ name, bytes }) => ({
    name,
    from: name,
    size: bytes.length,
    async *open() {
      for (let at = 0; at < bytes.length; at += 1 << 18) yield bytes.subarray(at, at + (1 << 18))
    },
  }))
  const path = `vector/upsert/quickstart${wait ? '' : '?async=true'}`
  return (await connectTo(new URL(url)).send('POST', path, multipart([], uploads))) as UpsertAnswer
}
