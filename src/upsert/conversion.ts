import type { DocumentPart } from '../contract/document.ts'
import type { TextSplitter } from '../contract/splitter.ts'
import { FILE_LIMITS } from '../formats/limits.ts'
import { SluiceError } from '../kit/errors.ts'

/**
 * For a splitter that converts whole documents: collects the parts of each document and converts it once it is complete.
 * Undefined for every other splitter.
 *
 * @throws SluiceError `file_over_limit` for a document that is longer than the limit of a chunk
 */
export function createConversion(splitter: TextSplitter | undefined, name: string) {
  const convert = splitter?.convert
  if (!convert) return undefined
  let gathered: string[] = []
  let length = 0

  return async function converted(
    parts: readonly DocumentPart[],
    signal: AbortSignal,
  ): Promise<DocumentPart[]> {
    const whole: DocumentPart[] = []
    for (const part of parts) {
      length += part.pageContent.length
      if (length > FILE_LIMITS.textLength) throw tooLong(name)
      gathered.push(part.pageContent)
      if (!part.last) continue
      const text = gathered.join('')
      gathered = []
      length = 0
      whole.push({ ...part, pageContent: await convert(text, signal) })
    }
    return whole
  }
}

const tooLong = (file: string) =>
  new SluiceError('file_over_limit', {
    file,
    reason: `a text that may be HTML may have ${FILE_LIMITS.textLength} characters`,
  })
