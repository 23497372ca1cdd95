import type { Metadata } from '../../contract/document.ts'
import { object, text } from '../../contract/field.ts'
import { isObject, type JsonObject } from '../../kit/json.ts'

/** The two inputs with which every loader shapes the metadata of its chunks. */
export const METADATA_FIELDS = {
  metadata: object('Additional Metadata', {
    description: 'Added to every chunk; wins over what the loader says',
    additional: true,
  }),
  omitMetadataKeys: text('Omit Metadata Keys', '', {
    description: 'Comma list of keys to leave out, dotted paths too; * leaves only the additional metadata',
    additional: true,
  }),
}

/** One rule for all loaders, later wins: the document's own keys, the flow's, the request's; omitted keys leave last. */
export function dresser(values: { metadata: JsonObject; omitMetadataKeys: string }) {
  const omitted = values.omitMetadataKeys
    .split(',')
    .map((key) => key.trim())
    .filter(Boolean)
  const all = omitted.includes('*')
  const paths = omitted.filter((key) => key !== '*').map((key) => key.split('.'))
  return (own: Metadata, added: Metadata): Metadata => {
    let dressed: Metadata = { ...(all ? {} : own), ...values.metadata, ...added }
    for (const path of paths) dressed = without(dressed, path)
    return dressed
  }
}

function without(metadata: Metadata, path: string[]): Metadata {
  const [key, ...rest] = path
  const { [key!]: value, ...others } = metadata
  if (value === undefined || rest.length === 0) return others
  return isObject(value) ? { ...metadata, [key!]: without(value as Metadata, rest) } : metadata
}
