import { text as readAll } from 'node:stream/consumers'
import { DATA_FILES } from '../../../contract/data-files.ts'
import { randomToken } from '../../../kit/hash.ts'
import { askLine, canAsk } from '../../ask-person.ts'
import { command } from '../../command.ts'
import { UsageError } from '../../failure.ts'
import { dataPlaceOf, mustExist } from '../../key-ring.ts'
import { flag } from '../../options.ts'
import { printable } from '../../printable.ts'
import { counted } from '../../units.ts'
import type { World } from '../../world.ts'

/** The fewest characters of a new secret. */
const LENGTH = 16

export const rotateSecretCommand = command({
  summary: 'Encrypts credentials and waiting requests with a new secret, while no server runs',
  about:
    'Without SECRET_KEY, the file secret.key of DATA_DIR gets a new secret. With SECRET_KEY, which is then the old secret, it\n' +
    'asks for the new one, or reads it from standard input; --generate makes one and prints it. With DATABASE_URL it works on\n' +
    'that database. After an interruption, run it again with the same secrets. Sign-ins to the studio and links to files end.',
  options: { generate: flag('makes a new SECRET_KEY and prints it before anything is changed') },
  settings: ['DATA_DIR'],
  examples: ['', '--generate', '< new-secret.txt'],
  async run({ world, config, options }) {
    const { DATABASE_URL, SECRET_KEY } = config
    mustExist(config)
    const inFile = SECRET_KEY === undefined && DATABASE_URL === undefined
    const after = inFile ? undefined : await newSecret(world, options.generate)
    const { credentials, jobs, unreadable, isDone } = await world.offline.rotateSecret({
      ...dataPlaceOf(config),
      before: SECRET_KEY,
      after,
    })
    for (const name of unreadable) world.stderr.write(`enter again  ${printable(name)}\n`)
    world.stderr.write(
      isDone
        ? 'Everything is encrypted with the new secret already.\n'
        : `Encrypted anew: ${counted(credentials, 'credential')}, ${counted(jobs, 'request')}.\n`,
    )
    world.stderr.write(
      inFile
        ? `The new secret is in ${DATA_FILES.secret}. Make a new backup: those made before have the old secret.\n`
        : 'Start with the new SECRET_KEY. Backups made before need the old one: keep it with them.\n',
    )
    return 0
  },
})

async function newSecret(world: World, generate: boolean): Promise<string> {
  if (generate) {
    const made = randomToken()
    world.stdout.write(`SECRET_KEY=${made}\n`)
    return made
  }
  const given = canAsk(world)
    ? await askLine(world, 'The new SECRET_KEY: ', { secret: true })
    : await readAll(world.stdin)
  const secret = given.trim()
  if (secret.length < LENGTH || /[\r\n]/.test(secret))
    throw new UsageError(`a new secret is one line of at least ${LENGTH} characters`)
  if (canAsk(world) && (await askLine(world, 'Again: ', { secret: true })).trim() !== secret)
    throw new UsageError('the two secrets differ')
  return secret
}
