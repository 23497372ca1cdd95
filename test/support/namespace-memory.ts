import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/**
 * What a namespace takes in memory after its first search, in bytes. `heap`: objects and typed arrays; `counted`: its vectors, as
 * `IMAGE_MEMORY` counts them; `resident`: what the process has more.
 */
export type NamespaceBytes = { heap: number; counted: number; resident: number }

const CHILD = fileURLToPath(new URL('./namespace-memory-child.ts', import.meta.url))

/** Fills a data directory with namespaces of so many chunks each, and measures a process that searches them all. */
export async function bytesOfNamespace(
  directory: string,
  { namespaces, chunks }: { namespaces: number; chunks: number },
): Promise<NamespaceBytes> {
  const run = (task: 'fill' | 'search') =>
    promisify(execFile)(process.execPath, [
      ...['--expose-gc', CHILD, task, directory],
      ...[`${namespaces}`, `${chunks}`],
    ])
  await run('fill')
  return JSON.parse((await run('search')).stdout) as NamespaceBytes
}
