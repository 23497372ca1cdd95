import { confirm } from '../../ask-person.ts'
import { command } from '../../command.ts'
import { mustExist } from '../../key-ring.ts'
import { flag } from '../../options.ts'
import { printable } from '../../printable.ts'

export const reset = command({
  summary: 'Lets a server start again whose secret is lost; its credentials have to be entered anew',
  about:
    'For a server that refuses to start because secret.key is missing or SECRET_KEY is another one, where the right one\n' +
    'cannot be found. The secret that is set now, or a new one, takes its place. Credentials stay in the list, but their\n' +
    'keys cannot be read any more. It works on the data directory, while no server runs.',
  options: { yes: flag('does it without asking') },
  settings: ['DATA_DIR', 'SECRET_KEY'],
  async run({ world, config, options }) {
    mustExist(config)
    const question = 'Give up what was sealed with the lost secret?'
    if (!options.yes && !(await confirm(world, question))) {
      world.stderr.write('Nothing was changed.\n')
      return 1
    }
    const lost = await world.offline.adoptSecret(config.DATA_DIR, config.SECRET_KEY)
    for (const name of lost) world.stderr.write(`to be entered again  ${printable(name)}\n`)
    world.stderr.write('The server can start.\n')
    return 0
  },
})
