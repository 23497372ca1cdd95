import path from 'node:path'
import type { MoveReport } from '../../contract/data-directory.ts'
import { DATA_FILES } from '../../contract/data-files.ts'
import type { Config } from '../../kit/config.ts'
import { SETTINGS } from '../../kit/settings.ts'
import { directAddress } from '../../kit/direct-address.ts'
import { reasonOf } from '../../kit/errors.ts'
import { maskAddress } from '../../kit/mask-address.ts'
import { command } from '../command.ts'
import { UsageError } from '../failure.ts'
import { mustExist } from '../key-ring.ts'
import { flag, text } from '../options.ts'
import { paintFor } from '../paint.ts'
import { showSteps } from '../steps.ts'
import { counted } from '../units.ts'
import type { World } from '../world.ts'

export const move = command({
  summary: 'Moves everything between a data directory and a PostgreSQL database',
  about:
    'Flows, keys, credentials, chats, jobs, chunks and vectors are copied; nothing is embedded again. No server may use either\n' +
    'side meanwhile. After an interruption, the same command goes on where it ended. At the end both sides are read, and counts\n' +
    'and hashes compared. The source is not changed. Without --from, DATA_DIR moves to a PostgreSQL address, and DATABASE_URL\n' +
    'to a directory. Files of documents and uploads stay where they are.',
  options: {
    to: text('place', 'a postgres:// address or a directory; both must be empty'),
    from: text('place', 'a directory or a postgres:// address'),
    restart: flag('deletes what an unfinished move has left in the target, and begins anew'),
    printSecret: flag('prints the secret that decrypts the credentials, as SECRET_KEY=…'),
    json: flag('prints tables, counts and hashes as JSON'),
  },
  settings: ['DATA_DIR', 'SECRET_KEY'],
  examples: ['--to postgres://sluice:…@db.example.com/sluice', '--from postgres://… --to /var/lib/sluice'],
  async run({ world, config, options }) {
    const places = placesOf(options, config, world)
    if (places.into === 'postgres')
      mustExist({ ...config, DATA_DIR: places.directory, DATABASE_URL: undefined })
    using steps = showSteps(world, paintFor(world.stderr, world.environment))
    const request = { ...places, secretKey: config.SECRET_KEY, restart: options.restart }
    const report = await world.offline.move(request, ({ step, table, rows, total }) =>
      steps.show(step === 'copy' ? `Copying ${table}` : `Comparing ${table}`, rows, total),
    )
    steps.end()
    const { tables, secretText } = report
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    if (options.json) world.stdout.write(`${JSON.stringify({ tables, rows }, null, 2)}\n`)
    else
      world.stdout.write(
        `${counted(rows, 'row')} in ${counted(tables.length, 'table')}, with the same hashes on both sides: ${namedCounts(report)}\n`,
      )
    world.stderr.write(nextSteps(places, report))
    if (options.printSecret && secretText !== undefined) world.stdout.write(`SECRET_KEY=${secretText}\n`)
    return 0
  },
})

type Places = { into: 'postgres' | 'directory'; directory: string; address: string }

/** @throws UsageError unless one side is a directory and the other a PostgreSQL address */
function placesOf(
  { from, to }: { from: string | undefined; to: string | undefined },
  config: Config,
  { directory }: World,
): Places {
  const folder = (given: string | undefined) =>
    given === undefined ? config.DATA_DIR : path.resolve(directory, given)
  if (isAddress(to)) {
    if (isAddress(from)) throw new UsageError('one side of a move must be a directory')
    return { into: 'postgres', directory: folder(from), address: checked(to) }
  }
  const address = isAddress(from) ? checked(from) : from === undefined ? directAddress(config) : undefined
  if (address === undefined || (to === undefined && from === undefined))
    throw new UsageError('name the target with --to: a postgres:// address, or a directory for DATABASE_URL')
  return { into: 'directory', directory: folder(to), address }
}

const isAddress = (place: string | undefined): place is string => /^postgres(ql)?:/.test(place ?? '')

function checked(address: string): string {
  try {
    SETTINGS.DATABASE_URL.kind.read(address, '')
    return address
  } catch (error) {
    throw new UsageError(`${maskAddress(address)} is not the address of a database`, reasonOf(error))
  }
}

/** The tables that people count. */
const NAMED = ['flows', 'credentials', 'api_keys', 'chat_messages', 'jobs', 'sources', 'chunks']

const namedCounts = ({ tables }: MoveReport): string =>
  tables
    .filter(({ table }) => NAMED.includes(table))
    .map(({ table, rows }) => `${rows.toLocaleString('en')} ${table.replace('_', ' ')}`)
    .join(', ')

function nextSteps({ into, directory, address }: Places, { secret }: MoveReport): string {
  const secretFile = path.join(directory, DATA_FILES.secret)
  const lines =
    into === 'postgres'
      ? [
          `Start the server with DATABASE_URL=${maskAddress(address)}`,
          secret === 'SECRET_KEY'
            ? 'and the same SECRET_KEY as before: it decrypts the credentials.'
            : `and with the text of ${secretFile} as SECRET_KEY, which decrypts the credentials: SECRET_KEY="$(cat '${secretFile}')"`,
          `Files of documents and uploads are still in ${directory}: keep it as the DATA_DIR of the server. With BLOB_URL, the first`,
          'start with this DATA_DIR moves them to the bucket.',
          `${path.join(directory, DATA_FILES.database)} was not changed. Delete it when you do not want to go back.`,
        ]
      : [
          `Start the server without DATABASE_URL, with DATA_DIR=${directory}`,
          `and the same SECRET_KEY as before, or with this secret in the file ${secretFile}.`,
          `Files of documents and uploads stay where they are: in the bucket of BLOB_URL; else copy the folders ${DATA_FILES.originals}`,
          `and ${DATA_FILES.uploads} from the DATA_DIR of the server into the new one.`,
          'The PostgreSQL database was not changed.',
        ]
  return `${lines.join('\n')}\n`
}
