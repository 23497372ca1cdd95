import type { Loader } from '../../contract/loader.ts'
import { SluiceError } from '../../kit/errors.ts'

/** In characters: more than any model reads. */
const LONGEST = 2_000_000

/**
 * The text of all that a loader finds without an upload, for a prompt.
 *
 * @throws SluiceError `flow_cannot_answer` for more than two million characters, and the errors of the loader
 */
export async function loadedText(loader: Loader, signal: AbortSignal): Promise<string> {
  const texts: string[] = []
  let length = 0
  for await (const item of loader.items?.(signal) ?? [])
    for await (const { parts } of item.read(signal))
      for (const { pageContent } of parts) {
        length += pageContent.length
        if (length > LONGEST)
          throw new SluiceError('flow_cannot_answer', {
            reason: `a document that stands in its prompt has more than ${LONGEST} characters`,
          })
        texts.push(pageContent)
      }
  return texts.join('\n')
}
