import { isObject, type JsonObject } from '../../kit/json.ts'
import type { Operation, ParsedApi } from '../operation.ts'
import { parseTree } from './document.ts'
import { PLACEHOLDER_ADDRESS } from './placeholder-address.ts'
import { findOperations } from './find-operations.ts'
import { operationReader } from './read-operation.ts'
import { createReferences } from './references.ts'
import { shortenText } from './schema-keywords.ts'
import { readServers, type ServerChoice } from './servers.ts'
import { toOpenApi3Servers } from './swagger2.ts'

export type ReadOptions = {
  /** Address of the description, if it has one. */
  link?: string
  selectedServer?: string
  serverVariables?: JsonObject
  /** Names of headers that the flow sets: the model does not give them. */
  headers?: readonly string[]
}

/**
 * Reads a description of an API: OpenAPI 3.0, 3.1, 3.2 or Swagger 2.0, as JSON or YAML. An error in an operation
 * refuses that operation, or is noted in it; others are not affected.
 *
 * @param texts the description by its address, and further documents by theirs
 * @throws Error with the reason if the text is not a description
 */
export function readApi(texts: Readonly<Record<string, string>>, options: ReadOptions = {}): ParsedApi {
  const at = options.link ?? PLACEHOLDER_ADDRESS
  const documents = parseAll(texts, at)
  const root = documents.get(at)
  if (!isObject(root)) throw new Error('it is not an OpenAPI description')
  const version = root.openapi ?? root.swagger
  if (typeof version !== 'string' && typeof version !== 'number')
    throw new Error('it is not an OpenAPI description: it has no version of "openapi" or "swagger"')
  if (typeof root.$self === 'string' && URL.canParse(root.$self, at))
    documents.set(new URL(root.$self, at).href, root)
  const references = createReferences(documents)
  const info = isObject(root.info) ? root.info : {}
  const choice = choiceOf(options)
  const found = findOperations(root.paths, at, references)
  const operations: Operation[] = []
  const { refused } = found
  const reader = operationReader(root, at, references, choice, options.headers ?? [])
  for (const one of found.operations) {
    try {
      operations.push(reader(one))
    } catch (error) {
      refused.push({ method: one.method, path: one.path, reason: (error as Error).message })
    }
  }
  return {
    title: typeof info.title === 'string' ? shortenText(info.title, 100) : '',
    version: String(version),
    servers: readServers(root.swagger ? toOpenApi3Servers(root) : root.servers, choice).map(({ url }) => url),
    operations,
    refused,
    missing: [...references.missing],
  }
}

/** Another document that cannot be parsed counts as missing. */
function parseAll(texts: Readonly<Record<string, string>>, root: string): Map<string, unknown> {
  const documents = new Map<string, unknown>()
  for (const [address, text] of Object.entries(texts)) {
    try {
      documents.set(address, parseTree(text))
    } catch (error) {
      if (address === root) throw error
    }
  }
  return documents
}

const choiceOf = ({ link, selectedServer, serverVariables = {} }: ReadOptions): ServerChoice => ({
  variables: serverVariables,
  ...(link === undefined ? {} : { link }),
  ...(selectedServer === undefined ? {} : { selected: selectedServer }),
})
