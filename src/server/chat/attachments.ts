import { FILE_TYPES, type FileParser } from '../../contract/file-parser.ts'
import type { UploadedFile } from '../../contract/loader.ts'
import { ANY_ENDINGS } from '../../formats/file-types.ts'
import { SluiceError } from '../../kit/errors.ts'
import { readFileOnDisk } from '../../sources/file-item.ts'

/** The most text that one file may add to a question; what is longer belongs into a vector store. */
const MOST_CHARACTERS = 2_000_000

/** The text of a file that goes along with a question, whatever its type. @throws SluiceError as reading files does */
export async function textOfFile(
  file: UploadedFile,
  parser: FileParser,
  signal: AbortSignal,
): Promise<string> {
  const reading = { types: FILE_TYPES, accepts: ANY_ENDINGS, options: {}, parser }
  const texts: string[] = []
  let length = 0
  let apart = ''
  for await (const { parts } of readFileOnDisk(file, reading, signal))
    for (const { pageContent, last } of parts) {
      length += pageContent.length
      if (length > MOST_CHARACTERS)
        throw new SluiceError('file_over_limit', {
          file: file.name,
          reason: `it has more than ${MOST_CHARACTERS} characters, too many to go along with a question`,
        })
      texts.push(apart, pageContent)
      apart = last ? '\n\n' : ''
    }
  return texts.join('')
}
