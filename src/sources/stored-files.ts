import type { LoaderItem } from '../contract/loader.ts'
import { SluiceError } from '../kit/errors.ts'
import { parseJson } from '../kit/json.ts'
import type { FileHandler } from './file-item.ts'
import { withTemporaryFile } from './temporary-file.ts'

/** A file that a flow refers to: its bytes where the flow holds them, else only the name they have elsewhere. */
type StoredFile = { name: string; base64?: string }

/**
 * Reads what Flowise writes into a file input: `data:<mime>;base64,<bytes>,filename:<name>`, a JSON list of those, or
 * `FILE-STORAGE::` with a name or a JSON list of names.
 *
 * @param fallbackName what a file is called that has no name
 */
export function parseStoredFiles(value: string, fallbackName: string): StoredFile[] {
  const text = value.trim()
  const elsewhere = text.startsWith(STORAGE)
  const rest = elsewhere ? text.slice(STORAGE.length) : text
  const list = rest.startsWith('[') ? parseJson(rest) : undefined
  const entries = Array.isArray(list) ? list.map(String) : [rest]
  return entries
    .filter((entry) => entry !== '')
    .map((entry) => (elsewhere ? { name: entry } : inlineFile(entry, fallbackName)))
}

const STORAGE = 'FILE-STORAGE::'

/** Base64 has no commas: the first ends the type, the second the bytes, and all others are part of the name. */
function inlineFile(entry: string, fallbackName: string): StoredFile {
  const bytes = entry.indexOf(',') + 1
  const head = entry.slice(0, bytes)
  if (!/^data:[^,]*;base64,$/i.test(head)) return { name: entry.slice(0, SHOWN) }
  const end = entry.indexOf(',', bytes)
  const base64 = entry.slice(bytes, end < 0 ? undefined : end)
  const name = end < 0 ? '' : entry.slice(end + 1).replace(/^filename:/, '')
  return { name: name === '' ? fallbackName : name, base64 }
}

/** How much of a reference that is none is shown. */
const SHOWN = 100

/** The files of a flow's own as items, each read in the scratch folder; one whose bytes are not here fails by name. */
export async function* storedFileItems(
  files: readonly StoredFile[],
  { read, fingerprint }: Pick<FileHandler, 'read' | 'fingerprint'>,
  scratch: string,
): AsyncGenerator<LoaderItem> {
  for (const { name, base64 } of files) {
    const bytes = base64 === undefined ? undefined : Buffer.from(base64, 'base64')
    yield {
      name,
      source: name,
      ...(bytes ? { fingerprint: fingerprint(name, bytes) } : {}),
      async *read(signal) {
        if (!bytes)
          throw new SluiceError('file_not_stored', { file: name, hint: 'Upload it with the request' })
        const size = bytes.length
        yield* withTemporaryFile(scratch, name, bytes, (path) => read({ name, path, size }, signal))
      },
    }
  }
}
