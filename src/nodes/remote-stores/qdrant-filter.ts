import { isObject, type Json, type JsonObject } from '../../kit/json.ts'

/**
 * A filter of Qdrant as one of this server. A condition of Qdrant also holds for one element of a list; here it compares
 * the whole value.
 *
 * @param metadataKey the key of the metadata in the payload, which keys of Qdrant begin with
 * @throws Error naming what has no counterpart: a filter is never dropped in silence
 */
export function filterOfQdrant(filter: JsonObject, metadataKey: string): JsonObject {
  const parts: JsonObject[] = []
  for (const [name, value] of Object.entries(filter)) {
    if (!['must', 'should', 'must_not'].includes(name))
      throw new Error(
        `the filter of Qdrant has ${name}, which is not supported: must, should and must_not are`,
      )
    const conditions = (Array.isArray(value) ? value : [value]).map((one) => conditionOf(one, metadataKey))
    if (conditions.length === 0) continue
    if (name === 'must') parts.push(...conditions)
    else if (name === 'should') parts.push({ $or: conditions })
    else parts.push(...conditions.map((condition) => ({ $not: condition })))
  }
  return parts.length === 1 ? parts[0]! : parts.length === 0 ? {} : { $and: parts }
}

function conditionOf(condition: Json, metadataKey: string): JsonObject {
  if (!isObject(condition)) throw new Error('a condition of the filter of Qdrant is no object')
  const { key, match, range, is_empty: empty, is_null: isNull, ...rest } = condition as JsonObject
  const unknown = Object.keys(rest)
  if (key === undefined && empty === undefined && isNull === undefined)
    return filterOfQdrant(condition as JsonObject, metadataKey)
  if (unknown.length > 0)
    throw new Error(`the filter of Qdrant has the condition ${unknown[0]}, which is not supported`)
  if (isObject(empty))
    return {
      $or: [
        { [fieldOf(empty.key, metadataKey)]: { $exists: false } },
        { [fieldOf(empty.key, metadataKey)]: { $in: [null, []] } },
      ],
    }
  if (isObject(isNull)) return { [fieldOf(isNull.key, metadataKey)]: null }
  const field = fieldOf(key, metadataKey)
  if (isObject(range)) {
    const comparisons = Object.entries(range).filter(([, value]) => value !== null)
    return { [field]: Object.fromEntries(comparisons.map(([name, value]) => [`$${name}`, value as Json])) }
  }
  if (isObject(match)) {
    if ('value' in match) return { [field]: { $eq: match.value as Json } }
    if ('any' in match) return { [field]: { $in: match.any as Json } }
    if ('except' in match)
      return { $and: [{ [field]: { $exists: true } }, { [field]: { $nin: match.except as Json } }] }
    throw new Error(`the filter of Qdrant has the match ${Object.keys(match)[0]}, which is not supported`)
  }
  throw new Error('a condition of the filter of Qdrant has neither match nor range')
}

function fieldOf(key: unknown, metadataKey: string): string {
  if (typeof key !== 'string' || !key.startsWith(`${metadataKey}.`))
    throw new Error(`the filter of Qdrant has the key ${String(key)}: keys begin with ${metadataKey}.`)
  return key
    .slice(metadataKey.length + 1)
    .replaceAll(/"([^"]*)"/g, '$1')
    .replaceAll('[]', '')
}
