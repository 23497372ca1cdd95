import type { Json } from './flow-file.ts'

/** A flow is saved with the files in it: the server takes flows of up to 16 MB, and base64 adds a third. */
export const STORED_FILE_LIMIT = 10_000_000

const STORAGE = 'FILE-STORAGE::'

/** The files that a file input holds: `data:<type>;base64,<bytes>,filename:<name>`, or a JSON list of these. */
export function storedFiles(value: Json | undefined): string[] {
  if (typeof value !== 'string' || value.trim() === '') return []
  const rest = value.startsWith(STORAGE) ? value.slice(STORAGE.length) : value
  if (!rest.startsWith('[')) return [rest]
  try {
    const list: unknown = JSON.parse(rest)
    return Array.isArray(list) ? list.map(String) : [rest]
  } catch {
    return [rest]
  }
}

/** The name of a stored file. */
export function storedFileName(file: string): string {
  if (!file.startsWith('data:')) return file.slice(0, 100)
  return /,filename:([^,]*)$/.exec(file)?.[1] || 'a file without a name'
}

/** What a file input holds for these files: one as it is, several as a JSON list. */
export const storedFilesValue = (files: readonly string[]): string =>
  files.length > 1 ? JSON.stringify(files) : (files[0] ?? '')

/** A file as a flow holds it, from its `data:` address. A comma would end the name. */
export const storedFileOf = (address: string, name: string): string =>
  `${address},filename:${name.replaceAll(',', '_')}`
