import type { Tool } from '../contract/tool.ts'
import { isObject, type JsonObject } from '../kit/json.ts'
import { failedCall } from '../tools/call.ts'
import { isSafe, operationTool, type ToolSettings } from './operation-tool.ts'
import type { Operation } from './operation.ts'

const SHOWN = 5
/** The most characters of all schemas in one answer. */
const MAX_SCHEMA = 16_000
const LONGEST_NAME = 64

/**
 * Two tools instead of hundreds: one finds operations by words, the other calls one of them. The model sees the
 * schema of an operation only when the search returns it.
 */
export function searchTools(title: string, operations: readonly Operation[], settings: ToolSettings): Tool[] {
  const suffix = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
  const nameOf = (verb: string) => (suffix === '' ? verb : `${verb}_${suffix}`.slice(0, LONGEST_NAME))
  const call = nameOf('call_tool')
  return [findTool(nameOf('find_tool'), call, title, operations), callTool(call, operations, settings)]
}

function findTool(name: string, call: string, title: string, operations: readonly Operation[]): Tool {
  let search: ReturnType<typeof createSearch> | undefined
  return {
    name,
    description: `Finds operations of ${title || 'an API'} (it has ${operations.length}) by what they do, with the schema of their input. Call them with ${call}.`,
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What is to be done, in a few words, such as "create order"' },
      },
      required: ['query'],
      additionalProperties: false,
    },
    async call({ query }) {
      search ??= createSearch(operations)
      const found = search(typeof query === 'string' ? query : '')
      if (found.length === 0) return { output: 'No operation fits. Try other words.' }
      return { output: JSON.stringify(described(found)) }
    },
  }
}

/** The best operation with its schema, others while there is space; the rest without schema, to be searched by name. */
function described(found: readonly Operation[]): JsonObject[] {
  let charactersLeft = MAX_SCHEMA
  return found.map(({ name, method, path, description, input }, index) => {
    charactersLeft -= JSON.stringify(input).length
    return { name, method, path, description, ...(charactersLeft >= 0 || index === 0 ? { input } : {}) }
  })
}

function callTool(name: string, operations: readonly Operation[], settings: ToolSettings): Tool {
  const byName = new Map(operations.map((operation) => [operation.name, operation]))
  return {
    name,
    description: 'Calls an operation that was found, by its name, with an input of its schema.',
    parameters: {
      type: 'object',
      properties: { name: { type: 'string' }, input: { type: 'object' } },
      required: ['name', 'input'],
      additionalProperties: false,
    },
    ...(settings.returnDirect ? { returnDirect: true } : {}),
    ...(operations.every(isSafe) ? {} : { unsafe: true }),
    async call({ name, input }, signal, context) {
      const operation = byName.get(String(name))
      if (!operation) return failedCall(`there is no operation ${String(name).slice(0, 100)}: find one first`)
      const given = isObject(input) ? (input as JsonObject) : {}
      return operationTool(operation, settings).call(given, signal, context)
    },
  }
}

/** The weight of a matching word, by field. */
const WEIGHTS = { name: 3, path: 2, description: 1 }

/** Ranks operations by the words that they share with a query; rare words count more. */
function createSearch(operations: readonly Operation[]): (query: string) => Operation[] {
  const entries = operations.map((operation) => {
    const { name, method, path, description } = operation
    return {
      operation,
      name: wordsOf(name),
      path: wordsOf(`${path} ${METHOD_WORDS[method] ?? ''}`),
      description: wordsOf(description),
    }
  })
  const counts = new Map<string, number>()
  for (const { name, path, description } of entries)
    for (const word of new Set([...name, ...path, ...description]))
      counts.set(word, (counts.get(word) ?? 0) + 1)
  const rarity = (word: string) => Math.log(1 + entries.length / (counts.get(word) ?? entries.length))

  return (query) => {
    const words = wordsOf(query)
    return entries
      .map(({ operation, ...fields }) => ({
        operation,
        score: [...words].reduce(
          (sum, word) => {
            const places = Object.entries(WEIGHTS).filter(([field]) =>
              fields[field as keyof typeof fields].has(word),
            )
            return sum + rarity(word) * places.reduce((weight, [, worth]) => weight + worth, 0)
          },
          operation.name === query.trim() ? 1000 : 0,
        ),
      }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .slice(0, SHOWN)
      .map(({ operation }) => operation)
  }
}

/** Words that people use for a method. */
const METHOD_WORDS: Record<string, string> = {
  GET: 'get list read show find',
  POST: 'create add new make',
  PUT: 'update replace change set',
  PATCH: 'update change edit modify',
  DELETE: 'delete remove',
}

/** Words in lower case; camel case is split, and a plural ending is removed. */
const wordsOf = (text: string): Set<string> =>
  new Set(
    (
      text
        .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? []
    ).map((word) => (word.length > 3 ? word.replace(/(?<=[^s])s$/, '') : word)),
  )
