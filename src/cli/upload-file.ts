import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { reasonOf } from '../kit/errors.ts'
import { Failure, UsageError } from './failure.ts'

/** A file to send, which is opened when it is sent. */
export type UploadFile = {
  /** The name of its source on the server: a relative path with `/`. */
  name: string
  /** Its path, for messages. */
  from: string
  /** Bytes; undefined for standard input. */
  size: number | undefined
  open(): AsyncIterable<Uint8Array>
}

export type GatherOptions = {
  directory: string
  stdin: Readable
  stdinName?: string | undefined
  /** Whether a directory may have no files. */
  mayBeEmpty?: boolean
}

/**
 * The files at the given paths, in order. A directory means all files below it, sorted, with their paths inside it as
 * names; hidden files and `node_modules` are left out. `-` is standard input.
 *
 * @throws Failure for a path that cannot be read, UsageError for two files with the same name
 */
export async function gatherFiles(paths: string[], options: GatherOptions): Promise<UploadFile[]> {
  const files: UploadFile[] = []
  for (const given of paths) {
    if (given === '-') files.push(standardInput(options))
    else files.push(...(await filesAt(path.resolve(options.directory, given), given, options)))
  }
  const byName = new Map<string, UploadFile>()
  for (const file of files) {
    const other = byName.get(file.name)
    if (other)
      throw new UsageError(
        `${other.from} and ${file.from} would both be sent as ${file.name}`,
        'the name of a file is its path inside the given directory: give the directory above both',
      )
    byName.set(file.name, file)
  }
  return files
}

function standardInput({ stdin, stdinName }: GatherOptions): UploadFile {
  if (!stdinName) throw new UsageError('standard input needs a name, such as --name notes.txt')
  return { name: stdinName, from: 'standard input', size: undefined, open: () => stdin }
}

async function filesAt(
  full: string,
  given: string,
  { mayBeEmpty = false }: GatherOptions,
): Promise<UploadFile[]> {
  const status = await look(full, given)
  if (!status.isDirectory()) return [onDisk(path.basename(full), full, given, status.size)]
  const found = (await walk(full, '')).sort()
  if (found.length === 0 && !mayBeEmpty) throw new Failure(`There is no file in ${given}`)
  return await Promise.all(
    found.map(async (name) => {
      const inside = path.join(full, name)
      return onDisk(name, inside, path.join(given, name), (await look(inside, path.join(given, name))).size)
    }),
  )
}

async function look(full: string, given: string) {
  const status = await stat(full).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(
      error.code === 'ENOENT'
        ? `There is no file or directory ${given}`
        : `Cannot read ${given}: ${reasonOf(error)}`,
    )
  })
  if (!status.isDirectory() && !status.isFile())
    throw new Failure(`${given} is neither a file nor a directory`)
  return status
}

/** Paths of the files below a directory, with `/`. Links to files are followed; links to directories, which can be circular, are not. */
async function walk(root: string, below: string): Promise<string[]> {
  const entries = await readdir(path.join(root, below), { withFileTypes: true }).catch((error: unknown) => {
    throw new Failure(`Cannot read the directory ${path.join(root, below)}: ${reasonOf(error)}`)
  })
  const found: string[] = []
  for (const entry of entries) {
    const name = below ? `${below}/${entry.name}` : entry.name
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    if (entry.isDirectory()) found.push(...(await walk(root, name)))
    else if (entry.isFile() || (entry.isSymbolicLink() && (await isLinkToFile(path.join(root, name)))))
      found.push(name)
  }
  return found
}

const isLinkToFile = (link: string): Promise<boolean> =>
  stat(link).then(
    (status) => status.isFile(),
    () => false,
  )

function onDisk(name: string, full: string, given: string, size: number): UploadFile {
  return {
    name,
    from: given,
    size,
    async *open() {
      if (size === 0) return
      let sent = 0
      try {
        // A file that grows meanwhile is sent only up to the length that was announced.
        for await (const chunk of createReadStream(full, { end: size - 1, highWaterMark: 256 * 1024 })) {
          sent += (chunk as Buffer).length
          yield chunk as Buffer
        }
      } catch (error) {
        throw new Failure(`Cannot read ${given}: ${reasonOf(error)}`)
      }
      if (sent < size) throw new Failure(`${given} became shorter while it was sent`)
    },
  }
}
