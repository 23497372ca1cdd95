import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const CHILD = fileURLToPath(new URL('./memory-growth-child.ts', import.meta.url))

/**
 * How many bytes of objects and typed arrays a process keeps for each round, after a collection. A round of `documents` changes one of
 * ten documents of a namespace and searches it; one of `namespaces` fills a namespace, searches it and removes it.
 *
 * @param address of an empty database of PostgreSQL; the embedded one unless given
 */
export async function growthOf(
  shape: 'documents' | 'namespaces',
  rounds: number,
  address?: string,
): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--expose-gc', CHILD, shape, `${rounds}`],
    ...(address === undefined ? [] : [address]),
  ])
  return Number(stdout)
}
