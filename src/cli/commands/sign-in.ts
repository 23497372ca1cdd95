import type { Config } from '../../kit/config.ts'
import { invocation } from '../announce.ts'
import { command } from '../command.ts'
import { Failure } from '../failure.ts'
import { jsonBody } from '../http.ts'
import { dataPlaceOf, mustExist } from '../key-ring.ts'
import { readAnswer } from '../read-answer.ts'
import type { World } from '../world.ts'
import {
  localUrl,
  reachable,
  SERVER_OPTIONS,
  SERVER_SETTING_TEXTS,
  SERVER_SETTINGS,
  serverOf,
} from '../server-options.ts'

export const signIn = command({
  summary: 'Prints a link that signs a browser in to the studio',
  about:
    'The link is valid once, for five minutes. Without --url it is made in the data directory of this machine, or in\n' +
    'the database of DATABASE_URL, for the server that runs there, on whatever port; with --url the server makes it, for a\n' +
    'key with the scope manage.',
  options: SERVER_OPTIONS,
  settings: ['DATA_DIR', ...SERVER_SETTINGS],
  settingTexts: SERVER_SETTING_TEXTS,
  examples: ['', '--url https://sluice.example.com --key sl_…'],
  async run({ world, config, options }) {
    let address: string
    let code: string
    if (options.url === undefined) {
      mustExist(config)
      address = await addressOfServer(config, world)
      const installation = await world.offline.open(dataPlaceOf(config))
      try {
        code = await installation.newSignInCode()
      } finally {
        await installation.close()
      }
    } else {
      const client = serverOf(options, config, world)
      address = client.url.href
      const answer = await readAnswer(
        client.send('POST', 'session/codes', jsonBody({})),
        async () => (await import('../../api/session.ts')).signInCode,
        'a sign-in code',
      )
      code = answer.code
    }
    world.stdout.write(`${address.replace(/\/$/, '')}/#sign-in=${code}\n`)
    world.stderr.write('The link is valid once, for five minutes.\n')
    return 0
  },
})

/** The address of the server of this data directory. @throws Failure where none runs, so that no link is printed that leads nowhere */
async function addressOfServer(config: Config, world: World): Promise<string> {
  const { DATA_DIR, DATABASE_URL, origins } = config
  const server = await world.offline.runningServer(DATA_DIR)
  if (server === undefined && DATABASE_URL === undefined)
    throw new Failure(
      `No server runs with the data in ${DATA_DIR}`,
      `start it first: ${invocation(world)} start${origins.DATA_DIR === 'default' ? '' : ` --data-dir ${DATA_DIR}`}`,
    )
  // A given one may be that of a proxy or of a container, from outside.
  const isGiven = origins.HOST === 'flag' || origins.PORT === 'flag'
  if (server?.url !== undefined && !isGiven) {
    const { hostname, port } = new URL(server.url)
    return reachable(hostname, port || '80')
  }
  const address = localUrl(config)
  if (!isGiven)
    world.stderr.write(
      `No server of this machine says where it listens: the link has HOST and PORT of the settings.\n`,
    )
  return address
}
