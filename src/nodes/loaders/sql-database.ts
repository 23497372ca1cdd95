import { choiceField, credentialField, numberField, textField, textListField } from '../../cards/field.ts'
import { InputError } from '../../cards/input-error.ts'
import type { BuildContext } from '../../contract/card.ts'
import type { ValuesOf } from '../../contract/field.ts'
import { SluiceError } from '../../kit/errors.ts'
import { failingItem } from '../../sources/failing-item.ts'
import { openPathAllowlist } from '../../sources/path-allowlist.ts'
import { databaseItem } from '../../sources/sql/database-file.ts'
import { DATABASE_SERVERS, databaseServerItem } from '../../sources/sql/database-server.ts'
import { mayCall } from '../may-call.ts'
import { beforeUse } from '../provider-key.ts'
import { loaderCard } from './loader-card.ts'

const OF_SERVERS = { showWhen: { databaseType: ['postgresql', 'mysql'] } } as const

const labels = Object.fromEntries(Object.entries(DATABASE_SERVERS).map(([kind, { label }]) => [kind, label]))

const fields = {
  databaseType: choiceField('Database Type', ['sqlite', 'postgresql', 'mysql'], 'sqlite', {
    optionLabels: { sqlite: 'SQLite file', ...labels },
  }),
  url: textField('Database', '', {
    description: 'The path of the database file',
    guard: 'path',
    showWhen: { databaseType: ['sqlite'] },
  }),
  credential: credentialField(
    'Connect Credential',
    Object.values(DATABASE_SERVERS).map(({ credential }) => credential),
  ),
  host: textField('Host', '', { main: true, guard: 'url', ...OF_SERVERS }),
  port: numberField(
    'Port',
    undefined,
    { whole: true, min: 1, max: 65_535 },
    { guard: 'url', description: 'Default: 5432 of PostgreSQL, 3306 of MySQL', ...OF_SERVERS },
  ),
  database: textField('Database Name', '', { guard: 'table', ...OF_SERVERS }),
  ssl: choiceField('SSL', ['off', 'on', 'anyCertificate'], 'off', {
    description: 'on: encrypted, with a certificate that is checked',
    optionLabels: { anyCertificate: 'On, any certificate' },
    ...OF_SERVERS,
  }),
  query: textField('Query', '', {
    main: true,
    description: 'One SELECT statement',
    guard: 'table',
    multiline: true,
  }),
  contentColumns: textListField('Content Columns', {
    description: 'Separated by commas. Default: all',
    guard: 'table',
  }),
  metadataColumns: textListField('Metadata Columns', {
    description: 'Separated by commas',
    guard: 'table',
  }),
  timeout: numberField(
    'Time-out',
    300,
    { whole: true, min: 1, max: 3600 },
    {
      unit: 'seconds',
      additional: true,
      description: 'How long the server may take for the next rows',
      ...OF_SERVERS,
    },
  ),
}

export const sqlDatabase = loaderCard({
  name: 'sqlDatabase',
  label: 'SQL Database',
  version: 2,
  description:
    'One document for each row of a query to a PostgreSQL, MySQL or MariaDB server, or to a SQLite file in a directory of FOLDER_ALLOW',
  fields,
  sources(values, context) {
    const { databaseType } = values
    return databaseType === 'sqlite'
      ? fileSource(values, context)
      : serverSource(databaseType, values, context)
  },
})

type Values = ValuesOf<typeof fields>

const fileSource = (
  { url, query, contentColumns, metadataColumns }: Values,
  { nodeId, folders, parser }: BuildContext,
) => ({
  async *items() {
    try {
      const allowlist = await openPathAllowlist(folders)
      const file = await allowlist.resolve(url, nodeId)
      yield databaseItem({ query, contentColumns, metadataColumns, file }, parser)
    } catch (error) {
      yield failingItem({ name: nodeId, error: error as Error })
    }
  },
})

/** @throws InputError without a host or a name of the database */
function serverSource(kind: keyof typeof DATABASE_SERVERS, values: Values, context: BuildContext) {
  const { host, database, query, contentColumns, metadataColumns, timeout, credential: id } = values
  const port = values.port ?? DATABASE_SERVERS[kind].port
  if (host.trim() === '') throw new InputError('host', 'it has no host')
  if (database.trim() === '') throw new InputError('database', 'it has no name of a database')
  const login = beforeUse(async () => {
    const { user, password } =
      id === undefined ? {} : await context.credential(id, [DATABASE_SERVERS[kind].credential])
    if (user && password !== undefined) return { user, password }
    const reason = id === undefined ? 'it has none' : 'its credential has no user or no password'
    throw new SluiceError('credential_missing', { node: context.nodeId, reason })
  }, context)
  mayCall(context, `${host}:${port}`, 'host')
  const item = databaseServerItem({
    kind,
    host,
    port,
    database,
    encryption: values.ssl,
    query,
    contentColumns,
    metadataColumns,
    timeoutMs: timeout * 1000,
    login,
    socket: context.egress.forProvider(`${host}:${port}`).socket,
  })
  return {
    async *items() {
      yield item
    },
  }
}
