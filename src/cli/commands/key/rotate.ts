import { command } from '../../command.ts'
import { KEY_OPTIONS, keyIdOf, mustExist, withKeyRing } from '../../key-ring.ts'

export const rotateKeyCommand = command({
  summary:
    'Replaces an API key and prints the new one; the old one is refused at once, rights and flows stay',
  args: ['<id|name>'],
  options: KEY_OPTIONS,
  settings: ['DATA_DIR'],
  async run({ world, config, args, options }) {
    mustExist(config, options)
    await withKeyRing({ world, config, options }, async (ring) => {
      const apiKey = await ring.rotate(await keyIdOf(args[0]!, ring))
      world.stdout.write(`${apiKey}\n`)
      world.stderr.write(`The key ${args[0]} is replaced. This is the only time that the new one is shown.\n`)
    })
    return 0
  },
})
