import type { Metadata } from '../../contract/document.ts'
import { objectField, textField } from '../../contract/field.ts'
import { isObject, type JsonObject } from '../../kit/json.ts'

/** The two inputs with which every loader shapes the metadata of its chunks. */
export const METADATA_FIELDS = {
  metadata: objectField('Additional Metadata', {
    description: 'Added to every chunk; wins over what the loader says',
    additional: true,
  }),
  omitMetadataKeys: textField('Omit Metadata Keys', '', {
    description: 'Comma list of keys to leave out, dotted paths too; * leaves only the additional metadata',
    additional: true,
  }),
}

/** One rule for all loaders, later wins: the document's own keys, the flow's, the request's; omitted keys leave last. */
export function metadataShaper(values: { metadata: JsonObject; omitMetadataKeys: string }) {
  const omitted = values.omitMetadataKeys
    .split(',')
    .map((key) => key.trim())
    .filter(Boolean)
  const all = omitted.includes('*')
  const keys = omitted.filter((key) => key !== '*')
  return (own: Metadata, added: Metadata): Metadata => {
    let dressed: Metadata = { ...(all ? {} : own), ...values.metadata, ...added }
    // A key that itself holds dots wins over the path that it spells.
    for (const key of keys) dressed = without(dressed, Object.hasOwn(dressed, key) ? [key] : key.split('.'))
    return dressed
  }
}

function without(metadata: Metadata, path: string[]): Metadata {
  const [key, ...rest] = path
  const { [key!]: value, ...others } = metadata
  if (value === undefined || rest.length === 0) return others
  return isObject(value) ? { ...metadata, [key!]: without(value as Metadata, rest) } : metadata
}
