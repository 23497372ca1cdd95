import type { Metadata } from '../../contract/document.ts'
import { objectField, textField } from '../../cards/field.ts'
import { isObject, type JsonObject } from '../../kit/json.ts'

/** The two metadata inputs of every loader. */
export const METADATA_FIELDS = {
  metadata: objectField('Additional Metadata', {
    description: 'Added to every chunk. Wins over the metadata of the loader',
    additional: true,
  }),
  omitMetadataKeys: textField('Omit Metadata Keys', '', {
    description:
      'Keys to leave out, separated by commas, also as dotted paths. * leaves out everything but the additional metadata',
    additional: true,
  }),
}

/**
 * Builds the metadata of a chunk: the keys of the document, then those of the flow, then those of the request. Later
 * ones win. The omitted keys are removed at the end.
 */
export function metadataShaper(values: { metadata: JsonObject; omitMetadataKeys: string }) {
  const omitted = values.omitMetadataKeys
    .split(',')
    .map((key) => key.trim())
    .filter(Boolean)
  const all = omitted.includes('*')
  const keys = omitted.filter((key) => key !== '*')
  return (own: Metadata, added: Metadata): Metadata => {
    let metadata: Metadata = { ...(all ? {} : own), ...values.metadata, ...added }
    // A key that contains dots wins over the path of the same spelling.
    for (const key of keys)
      metadata = without(metadata, Object.hasOwn(metadata, key) ? [key] : key.split('.'))
    return metadata
  }
}

function without(metadata: Metadata, path: string[]): Metadata {
  const [key, ...rest] = path
  const { [key!]: value, ...others } = metadata
  if (value === undefined || rest.length === 0) return others
  return isObject(value) ? { ...metadata, [key!]: without(value as Metadata, rest) } : metadata
}
