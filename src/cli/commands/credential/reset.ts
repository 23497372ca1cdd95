import { confirm } from '../../ask-person.ts'
import { command } from '../../command.ts'
import { dataPlaceOf, mustExist } from '../../key-ring.ts'
import { flag } from '../../options.ts'
import { printable } from '../../printable.ts'

export const reset = command({
  summary: 'Lets a server start again after its secret was lost; credentials have to be entered again',
  about:
    'For a server that refuses to start because secret.key is missing or SECRET_KEY has another value, when the right secret\n' +
    'cannot be found. It is replaced by the secret that is set now, or by a new one. Credentials stay in the list, but their\n' +
    'values cannot be decrypted any more. No server may run meanwhile. With DATABASE_URL it needs SECRET_KEY.',
  options: { yes: flag('does not ask for confirmation') },
  settings: ['DATA_DIR', 'SECRET_KEY'],
  async run({ world, config, options }) {
    mustExist(config)
    const question = 'Give up the values of all credentials?'
    if (!options.yes && !(await confirm(world, question))) {
      world.stderr.write('Nothing was changed.\n')
      return 1
    }
    const lost = await world.offline.adoptSecret(dataPlaceOf(config), config.SECRET_KEY)
    for (const name of lost) world.stderr.write(`enter again  ${printable(name)}\n`)
    world.stderr.write('The server can start.\n')
    return 0
  },
})
