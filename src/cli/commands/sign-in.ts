import { command } from '../command.ts'
import { jsonBody } from '../http.ts'
import { dataPlaceOf, mustExist } from '../key-ring.ts'
import { readAnswer } from '../read-answer.ts'
import {
  localUrl,
  SERVER_OPTIONS,
  SERVER_SETTING_TEXTS,
  SERVER_SETTINGS,
  serverOf,
} from '../server-options.ts'

export const signIn = command({
  summary: 'Prints a link that signs a browser in to the studio',
  about:
    'The link is valid once, for five minutes. Without --url it is made in the data directory of this machine, or in\n' +
    'the database of DATABASE_URL, while the server runs; with --url the server makes it, for a key with the scope manage.',
  options: SERVER_OPTIONS,
  settings: ['DATA_DIR', ...SERVER_SETTINGS],
  settingTexts: SERVER_SETTING_TEXTS,
  examples: ['', '--url https://sluice.example.com --key sl_…'],
  async run({ world, config, options }) {
    let address: string
    let code: string
    if (options.url === undefined) {
      address = localUrl(config)
      mustExist(config)
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
