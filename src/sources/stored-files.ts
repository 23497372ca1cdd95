import type { LoaderItem } from '../contract/loader.ts'
import { SluiceError } from '../kit/errors.ts'
import { parseJson } from '../kit/json.ts'
import type { FileHandler } from './file-item.ts'
import { withTemporaryFile } from './temporary-file.ts'

/**
 * A file that a flow refers to: with its bytes if the flow contains them, else only with its name in the storage of
 * Flowise.
 */
type StoredFile = { name: string; base64?: string }

/**
 * Reads the value of a Flowise file input: `data:<mime>;base64,<bytes>,filename:<name>`, a JSON list of those, or
 * `FILE-STORAGE::` with a name or a JSON list of names.
 *
 * @param fallbackName name of a file without one
 */
export function parseStoredFiles(value: string, fallbackName: string): StoredFile[] {
  const text = value.trim()
  const isStored = text.startsWith(STORAGE)
  const rest = isStored ? text.slice(STORAGE.length) : text
  const list = rest.startsWith('[') ? parseJson(rest) : undefined
  const entries = Array.isArray(list) ? list.map(String) : [rest]
  return entries
    .filter((entry) => entry !== '')
    .map((entry) => (isStored ? { name: entry } : inlineFile(entry, fallbackName)))
}

const STORAGE = 'FILE-STORAGE::'

/** Base64 has no commas: the first comma ends the type, the second one the bytes; others belong to the name. */
function inlineFile(entry: string, fallbackName: string): StoredFile {
  const bytes = entry.indexOf(',') + 1
  const head = entry.slice(0, bytes)
  if (!/^data:[^,]*;base64,$/i.test(head)) return { name: entry.slice(0, SHOWN) }
  const end = entry.indexOf(',', bytes)
  const base64 = entry.slice(bytes, end < 0 ? undefined : end)
  const name = end < 0 ? '' : entry.slice(end + 1).replace(/^filename:/, '')
  return { name: name === '' ? fallbackName : name, base64 }
}

/** Characters of an invalid reference that are shown. */
const SHOWN = 100

/**
 * The files of a flow as items; each is written to the scratch folder while it is read. A file without bytes fails
 * when it is read.
 */
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
      ...(bytes ? { fingerprint: await fingerprint(name, bytes) } : {}),
      async *read(signal, password) {
        if (!bytes)
          throw new SluiceError('file_not_stored', { file: name, hint: 'Upload it with the request' })
        const size = bytes.length
        yield* withTemporaryFile(scratch, name, bytes, (path) =>
          read({ name, path, size }, { signal, password }),
        )
      },
    }
  }
}
