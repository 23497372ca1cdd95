import { InputError } from '../../cards/input-error.ts'
import type { BuildContext } from '../../contract/card.ts'
import { SluiceError } from '../../kit/errors.ts'
import { openPathAllowlist } from '../../sources/path-allowlist.ts'
import { databaseItem } from '../../sources/sql/database-file.ts'
import { DATABASE_SERVERS, databaseServerItem } from '../../sources/sql/database-server.ts'
import type { AskedDatabase } from '../../tools/database-tool.ts'
import { mayCall } from '../may-call.ts'
import { beforeUse } from '../provider-key.ts'

/** The kinds of database, with Flowise's names, and as forms call them. */
export const DATABASES = ['sqlite', 'postgres', 'mysql'] as const
export const DATABASE_LABELS = ['SQLite file', 'PostgreSQL', 'MySQL or MariaDB'] as const

export type DatabaseValues = {
  database: (typeof DATABASES)[number]
  url: string
  credential: string | undefined
}

/** How long a database may take for the next rows, in milliseconds. */
const TIMEOUT_MS = 60_000

const doubled = (mark: string) => (name: string) => `${mark}${name.replaceAll(mark, mark + mark)}${mark}`

/** What differs between the dialects. */
type Dialect = Pick<AskedDatabase, 'dialect' | 'quoted' | 'columnsQuery'>

const SQLITE: Dialect = {
  dialect: 'SQLite',
  quoted: doubled('"'),
  columnsQuery: `SELECT m.name AS "table", c.name AS "column", c.type AS "type" FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite%' ORDER BY m.name, c.cid`,
}

type ServerDialect = Dialect & { kind: keyof typeof DATABASE_SERVERS; scheme: RegExp }

const PG: ServerDialect = {
  kind: 'postgresql',
  scheme: /^postgres(ql)?:$/,
  dialect: 'PostgreSQL',
  quoted: doubled('"'),
  columnsQuery: `SELECT table_name AS "table", column_name AS "column", data_type AS "type" FROM information_schema.columns WHERE table_schema = ANY (current_schemas(false)) ORDER BY table_name, ordinal_position`,
}

const MYSQL: ServerDialect = {
  kind: 'mysql',
  scheme: /^(mysql|mariadb):$/,
  dialect: 'MySQL',
  quoted: doubled('`'),
  columnsQuery:
    'SELECT table_name AS `table`, column_name AS `column`, column_type AS `type` FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position',
}

/** The database of a node. @throws InputError `url` where it names none of the kind that was chosen */
export function askedDatabase(values: DatabaseValues, context: BuildContext): AskedDatabase {
  const { database, url } = values
  if (url.trim() === '') throw new InputError('url', 'it names no database')
  if (database === 'sqlite') return fileDatabase(url, context)
  return serverDatabase(database === 'mysql' ? MYSQL : PG, values, context)
}

function fileDatabase(url: string, { folders, nodeId, parser, ...context }: BuildContext): AskedDatabase {
  if (/^\w+:\/\//.test(url.trim()))
    throw new InputError('url', 'it is the address of a server; of a SQLite file the path is needed', {
      instead: 'Use a PostgreSQL, MySQL or MariaDB server, and choose it in Database',
    })
  const resolve = async () => (await openPathAllowlist(folders)).resolve(url, nodeId)
  if (!url.includes('{{')) context.beforeUse?.(resolve, 'url')
  return {
    ...SQLITE,
    async rows(query, columns) {
      const columnSettings = { contentColumns: undefined, metadataColumns: columns }
      return databaseItem({ query, file: await resolve(), ...columnSettings }, parser)
    },
  }
}

function serverDatabase(
  { kind, scheme, ...dialect }: ServerDialect,
  { url, credential: id }: DatabaseValues,
  context: BuildContext,
): AskedDatabase {
  const place = URL.parse(url.trim())
  const name = decoded(place?.pathname.slice(1) ?? '')
  if (!place || !scheme.test(place.protocol) || place.hostname === '' || name === '')
    throw new InputError('url', `expected ${kind}://HOST:PORT/DATABASE`)
  const server = DATABASE_SERVERS[kind]
  const host = place.hostname
  const port = place.port === '' ? server.port : Number(place.port)
  const login = beforeUse(async () => {
    const given = id === undefined ? {} : await context.credential(id, [server.credential])
    const { user = decoded(place.username), password = decoded(place.password) } = given
    if (user !== '') return { user, password }
    const reason = 'neither its credential nor its address has a user'
    throw new SluiceError('credential_missing', { node: context.nodeId, reason })
  }, context)
  mayCall(context, `${host}:${port}`, 'url')
  const { socket } = context.egress.forProvider(`${host}:${port}`)
  return {
    ...dialect,
    rows: (query, columns) =>
      databaseServerItem({
        ...{ kind, host, port, database: name, login, socket, query },
        encryption: encryptionOf(place.searchParams),
        contentColumns: undefined,
        metadataColumns: columns,
        timeoutMs: TIMEOUT_MS,
      }),
  }
}

/** `sslmode` of PostgreSQL, `ssl-mode` of MySQL, `ssl=true` of both. */
function encryptionOf(parameters: URLSearchParams): 'off' | 'on' | 'anyCertificate' {
  const mode = (parameters.get('sslmode') ?? parameters.get('ssl-mode') ?? '').toLowerCase().replace('_', '-')
  if (/^verify-/.test(mode) || parameters.get('ssl') === 'true') return 'on'
  return /^(require|required|prefer|preferred)$/.test(mode) ? 'anyCertificate' : 'off'
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
