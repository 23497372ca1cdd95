import { readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { LoaderItem } from '../contract/loader.ts'
import type { SluiceError } from '../kit/errors.ts'
import { failingItem } from './failing-item.ts'
import { type PathAllowlist, pathNotAllowed } from './path-allowlist.ts'
import {
  type FileOnDisk,
  type FileReadSettings,
  fingerprintOnDisk,
  withDiskErrors,
  readFileOnDisk,
} from './file-item.ts'

export type FolderOptions = {
  /** Name of the folder in errors. */
  name: string
  /** Path of the folder, links resolved, inside the allowlist. */
  folder: string
  recursive: boolean
  allowlist: PathAllowlist
  reading: FileReadSettings
}

/** The files of a folder in the order of their names; each is named by its path from the folder, with slashes. */
export async function* folderItems(options: FolderOptions, signal: AbortSignal): AsyncGenerator<LoaderItem> {
  for await (const found of filesBelow(options)) {
    signal.throwIfAborted()
    if ('error' in found) yield failingItem(found)
    else yield await itemOf(found, options.reading)
  }
}

/** A path that cannot be read. `discoversOthers`: it is a folder, so its content is unknown. */
type Unreadable = { name: string; error: SluiceError; discoversOthers?: true }
type Found = FileOnDisk | Unreadable

/** Names that begin with a dot are skipped; links are followed inside the allowlist; each folder is read once. */
async function* filesBelow({
  name: root,
  folder,
  recursive,
  allowlist,
}: FolderOptions): AsyncGenerator<Found> {
  const seen = new Set<string>()
  const open = [{ name: '', folder }]
  for (let at = open.pop(); at; at = open.pop()) {
    if (seen.has(at.folder)) continue
    seen.add(at.folder)
    const { name: prefix, folder: from } = at
    const listed = await attempt(prefix || root, () => readdir(from, { withFileTypes: true }))
    if ('error' in listed) {
      yield { ...listed, discoversOthers: true }
      continue
    }
    const below: typeof open = []
    for (const entry of listed.value.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith('.')) continue
      const name = path.posix.join(prefix, entry.name)
      const inspected = await attempt(name, () => inspect(path.join(from, entry.name)))
      if ('error' in inspected) yield inspected
      else if (!allowlist.admits(inspected.value.path)) {
        if (entry.isSymbolicLink()) yield { name, error: pathNotAllowed(name) }
      } else if (inspected.value.isFile) yield { name, ...inspected.value }
      else if (inspected.value.isFolder && recursive) below.push({ name, folder: inspected.value.path })
    }
    open.push(...below.reverse())
  }
}

async function inspect(place: string) {
  const real = await realpath(place)
  const facts = await stat(real)
  return { path: real, size: facts.size, isFile: facts.isFile(), isFolder: facts.isDirectory() }
}

async function attempt<T>(name: string, work: () => Promise<T>): Promise<{ value: T } | Unreadable> {
  try {
    return { value: await withDiskErrors(name, work) }
  } catch (error) {
    return { name, error: error as SluiceError }
  }
}

async function itemOf(file: FileOnDisk, reading: FileReadSettings): Promise<LoaderItem> {
  const hashed = await attempt(file.name, () => fingerprintOnDisk(file, reading))
  if ('error' in hashed) return failingItem(hashed)
  return {
    name: file.name,
    source: file.name,
    fingerprint: hashed.value,
    read: (signal, password) => readFileOnDisk(file, reading, { signal, password }),
  }
}
