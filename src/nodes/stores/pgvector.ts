import type { BuildContext } from '../../contract/card.ts'
import { defineNode } from '../../cards/define-node.ts'
import {
  choiceField,
  credentialField,
  flagField,
  numberField,
  objectField,
  textField,
} from '../../cards/field.ts'
import type { ValuesOf } from '../../contract/field.ts'
import type { Metric } from '../../contract/retrieval.ts'
import { SluiceError } from '../../kit/errors.ts'
import { isObject, type JsonObject } from '../../kit/json.ts'
import { pgVectorSource } from '../../stores/pgvector/source.ts'
import { LONGEST_TABLE } from '../../stores/pgvector/tables.ts'
import { joinFilters } from '../../vector/filter.ts'
import { beforeUse } from '../provider-key.ts'
import { containmentFilter } from './containment-filter.ts'
import { retrievalFields, retrievalSettings } from './retrieval-fields.ts'
import { namespaceField, storeAnchors, storePart } from './store-fields.ts'
import { mayCall } from '../may-call.ts'

const METRIC: Record<'cosine' | 'euclidean' | 'innerProduct', Metric> = {
  cosine: 'cosine',
  euclidean: 'euclidean',
  innerProduct: 'dot',
}

const additional = { additional: true }
const { metric: _, ...searchFields } = retrievalFields

const fields = {
  credential: credentialField('Connect Credential', ['PostgresApi']),
  host: textField('Host', '', { required: true, guard: 'url' }),
  database: textField('Database', '', { required: true, guard: 'table' }),
  port: numberField('Port', 5432, { whole: true, min: 1, max: 65_535 }, { guard: 'url' }),
  ssl: flagField('SSL', false, {
    ...additional,
    description: 'Encrypts connections, and checks the certificate of the server',
  }),
  tableName: textField('Table Name', 'documents', {
    main: true,
    ...additional,
    guard: 'table',
    description:
      'The tables of this server begin with this name. A table of Flowise with just this name is searched too, and not changed',
  }),
  distanceStrategy: choiceField(
    'Distance Strategy',
    ['cosine', 'euclidean', 'innerProduct'],
    'cosine',
    additional,
  ),
  // Not used: flow files of Flowise have them.
  fileUpload: flagField('File Upload', false, additional),
  batchSize: numberField('Batch Size', undefined, { whole: true, min: 1 }, { ...additional, unit: 'chunks' }),
  additionalConfig: objectField('Additional Configuration', {
    ...additional,
    guard: 'url',
    description:
      'schema: the schema of the tables. ssl: true, false, or {"rejectUnauthorized": false} for any certificate',
  }),
  pgMetadataFilter: objectField('Postgres Metadata Filter', {
    ...additional,
    merge: joinFilters,
    description: 'A mandatory filter: chunks whose metadata contain this object',
  }),
  contentColumnName: textField('Content Column Name', 'pageContent', {
    ...additional,
    guard: 'table',
    description: 'The column with the text in a table of Flowise',
  }),
  namespace: namespaceField,
  ...searchFields,
}

export const pgvector = defineNode({
  kind: 'vectorStore',
  name: 'postgres',
  label: 'Postgres',
  version: 7.1,
  category: 'Vector Stores',
  type: 'Postgres',
  baseClasses: ['Postgres', 'VectorStoreRetriever', 'BaseRetriever'],
  description:
    'Stores vectors in a PostgreSQL database with pgvector 0.8.4 or newer, and keywords in this server',
  fields,
  anchors: storeAnchors,
  build({ values, parts }, context) {
    const { namespace, distanceStrategy, pgMetadataFilter } = values
    const metric = METRIC[distanceStrategy]
    const source = pgVectorSource({ ...placeOf(values, context), metric, credential: values.credential })
    const filter = joinFilters(containmentFilter(pgMetadataFilter), values.filter)
    const retrieval = retrievalSettings({ ...values, metric, filter }, parts.reranker)
    const open = (name: string) => context.openSeparateStore(name, source)
    return storePart({ namespace, parts, flowId: context.flowId }, open, retrieval)
  },
})

/** Where the tables are, and how to get there. @throws Error for a name or a setting that cannot be used */
function placeOf(
  {
    host,
    port,
    database,
    ssl,
    tableName,
    additionalConfig,
    contentColumnName,
    credential: id,
  }: ValuesOf<typeof fields>,
  context: BuildContext,
) {
  const { credential, egress, nodeId } = context
  const { schema, ssl: configured, ...others } = additionalConfig
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw new Error(`additionalConfig has ${JSON.stringify(unknown)}; only schema and ssl are read`)
  if (schema !== undefined && typeof schema !== 'string') throw new Error('the schema is not a text')
  if (tableName.includes('\0') || Buffer.byteLength(tableName) > LONGEST_TABLE)
    throw new Error(`the table name has more than ${LONGEST_TABLE} bytes, or the character U+0000`)
  const login = beforeUse(async () => {
    const values = id === undefined ? undefined : await credential(id, ['PostgresApi'])
    const { user, password } = values ?? {}
    if (user && password !== undefined) return { user, password }
    const reason = values ? 'its credential has no user or no password' : 'it has none'
    throw new SluiceError('credential_missing', { node: nodeId, reason })
  }, context)
  mayCall(context, `${host}:${port}`, 'host')
  return {
    server: {
      host,
      port,
      database,
      ssl: sslOf(configured) ?? ssl,
      login,
      socket: egress.forProvider(`${host}:${port}`).socket,
      timeoutMs: context.settings.ENGINE_TIMEOUT * 1000,
    },
    tables: { table: tableName, schema },
    contentColumn: contentColumnName,
  }
}

/** @throws Error for what is not one of the ways to encrypt */
function sslOf(value: JsonObject[string] | undefined): boolean | { rejectUnauthorized: boolean } | undefined {
  if (value === undefined || typeof value === 'boolean') return value
  if (isObject(value) && typeof value.rejectUnauthorized === 'boolean' && Object.keys(value).length === 1)
    return { rejectUnauthorized: value.rejectUnauthorized }
  throw new Error('ssl of additionalConfig is true, false or {"rejectUnauthorized": false}')
}
