import { Extraction } from '../extraction.ts'
import { bytePieces } from '../file-pieces.ts'
import type { StreamReader } from '../reader.ts'
import { RtfReader } from './rtf-reader.ts'
import { RtfTokenizer } from './rtf-tokens.ts'

/**
 * Reads rich text as one markdown text, in the form of a Word document: headers, body, notes, comments, footers. Text
 * that is hidden or was deleted by a tracked change is left out. Metadata: `title`, `author`, `created`, `modified`, if
 * the file has them. It is read in pieces: most bytes of large files are pictures.
 */
export const readRtf: StreamReader = async function* (file, _options, limits) {
  const source = new Extraction(file, limits)
  const reader = new RtfReader(source, limits.rtfDepth)
  const tokenizer = new RtfTokenizer(reader)
  let isFirst = true
  for await (const piece of bytePieces(file)) {
    if (isFirst && !/^\s*\{\\rtf/.test(Buffer.from(piece.subarray(0, 100)).toString('latin1')))
      source.unreadable('it is not rich text')
    isFirst = false
    tokenizer.write(piece)
  }
  tokenizer.write(new Uint8Array(), true)
  if (!reader.isComplete) source.note('the file ends in the middle; some of its text may be missing')
  const body = reader.body()
  const { notes, margins, metadata } = reader
  const blocks = [
    ...margins.header,
    ...body,
    ...notes.foot,
    ...notes.end,
    ...notes.comments,
    ...margins.footer,
  ]
  yield* source.report()
  if (blocks.length > 0) yield { pageContent: blocks.join('\n\n'), metadata, last: true }
}
