import { isObject } from '../../kit/json.ts'
import type { RefusedOperation } from '../operation.ts'
import type { Located, References } from './references.ts'

type Tree = Record<string, unknown>

/** An operation with its document, and the path item that it belongs to, which may be in another document. */
export type FoundOperation = { method: string; path: string; operation: Located<Tree>; item: Located<Tree> }

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'query']
const MAX_OPERATIONS = 10_000

/** All operations of a description, in its order, and the entries that are not operations. */
export function findOperations(paths: unknown, at: string, references: References) {
  const operations: FoundOperation[] = []
  const refused: RefusedOperation[] = []
  for (const [path, written] of Object.entries(isObject(paths) ? paths : {})) {
    if (!path.startsWith('/')) continue
    const refuse = (method: string, reason: string) =>
      refused.push({ method: method.toUpperCase(), path, reason })
    try {
      const item = itemAt(written, at, references)
      for (const [method, value] of methodsOf(item.value)) {
        try {
          const { value: operation, at } = references.follow(value, item.at)
          if (!isObject(operation)) refuse(method, 'it is not an operation')
          else if (operations.length === MAX_OPERATIONS)
            refuse(method, `there are more than ${MAX_OPERATIONS} operations`)
          else
            operations.push({ method: method.toUpperCase(), path, operation: { value: operation, at }, item })
        } catch (error) {
          refuse(method, (error as Error).message)
        }
      }
    } catch (error) {
      refuse('*', (error as Error).message)
    }
  }
  return { operations, refused }
}

/** A path item, merged with the keys beside a reference to it. */
function itemAt(written: unknown, at: string, references: References): Located<Tree> {
  const { value, at: place } = references.follow(written, at)
  return { value: { ...(isObject(value) ? value : {}), ...(isObject(written) ? written : {}) }, at: place }
}

/** The methods of a path item; OpenAPI 3.2 allows further ones. */
function methodsOf(item: Tree): [method: string, operation: unknown][] {
  const further = isObject(item.additionalOperations) ? Object.entries(item.additionalOperations) : []
  return [
    ...METHODS.filter((method) => method in item).map((method): [string, unknown] => [method, item[method]]),
    ...further,
  ]
}
