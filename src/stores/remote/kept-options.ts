import type { KeptOption } from '../../contract/vector-engine.ts'
import { isObject, type JsonObject } from '../../kit/json.ts'
import type { IndexOptions } from './index-options.ts'
import { FIELDS } from './search-dialects.ts'

/** How many neighbours both products consider for each vector of a graph unless told. */
const DEFAULT_EFFORT = 100

/**
 * What an index was made with that is not as a node has it now. What the node leaves to the server, and what the index does not tell, is no
 * difference.
 *
 * @param settings below `index`, as the server gives them: numbers are texts
 */
export function keptOptions(
  { settings, mappings }: { settings: JsonObject; mappings: JsonObject },
  wanted: IndexOptions,
): KeptOption[] {
  const held = heldOptions(settings, mappings)
  return (Object.keys(held) as (keyof IndexOptions)[]).flatMap((option) => {
    const [is, now] = [held[option], wanted[option]]
    return is === undefined || now === undefined || is === now ? [] : [{ option, is: `${is}`, now: `${now}` }]
  })
}

function heldOptions(settings: JsonObject, mappings: JsonObject): Partial<IndexOptions> {
  const properties = isObject(mappings.properties) ? mappings.properties : {}
  const vector = properties[FIELDS.vector]
  return {
    ...numbers({ shards: settings.number_of_shards, copies: settings.number_of_replicas }),
    ...(isObject(vector) ? graphOptions(vector as JsonObject) : {}),
  }
}

/** Those of the graph, of OpenSearch (`method`) or Elasticsearch (`index_options`). */
function graphOptions({ method, index_options: own }: JsonObject): Partial<IndexOptions> {
  if (isObject(method)) {
    const { encoder, ef_construction: effort } = isObject(method.parameters) ? method.parameters : {}
    return {
      vectors: isObject(encoder) && encoder.name === 'sq' ? 'int8' : 'full',
      ...numbers({ efConstruction: effort ?? DEFAULT_EFFORT }),
    }
  }
  if (!isObject(own)) return {}
  return {
    ...(own.type === 'int8_hnsw' ? { vectors: 'int8' } : own.type === 'hnsw' ? { vectors: 'full' } : {}),
    ...numbers({ efConstruction: own.ef_construction ?? DEFAULT_EFFORT }),
  }
}

/** The values that are numbers, also as texts. */
const numbers = (values: Record<string, unknown>): Partial<IndexOptions> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
      return Number.isNaN(number) ? [] : [[name, number]]
    }),
  )
