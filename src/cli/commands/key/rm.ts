import { command } from '../../command.ts'
import { KEY_OPTIONS, keyIdOf, mustExist, withKeyRing } from '../../key-ring.ts'

export const removeKeyCommand = command({
  summary: 'Removes an API key; flows that need it refuse calls until they get another one',
  args: ['<id|name>'],
  options: KEY_OPTIONS,
  settings: ['DATA_DIR'],
  async run({ world, config, args, options }) {
    mustExist(config, options)
    await withKeyRing({ world, config, options }, async (ring) => {
      await ring.remove(await keyIdOf(args[0]!, ring))
      world.stderr.write(`The key ${args[0]} is removed.\n`)
    })
    return 0
  },
})
