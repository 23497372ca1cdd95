import { SluiceError } from '../kit/errors.ts'
import type { StreamFile } from './reader.ts'
import { textPieces } from './text.ts'

/** The lines of a text file without their ends, read in pieces. @throws SluiceError `file_over_limit` */
export async function* textLines(file: StreamFile, longest: number): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of textPieces(file)) {
    const lines = (rest + piece).split(/\r\n|[\n\r](?!$)|\n$/)
    rest = lines.pop()!
    if (rest.length > longest)
      throw new SluiceError('file_over_limit', { file: file.name, reason: 'a line does not end' })
    yield* lines
  }
  if (rest !== '') yield rest.replace(/\r$/, '')
}
