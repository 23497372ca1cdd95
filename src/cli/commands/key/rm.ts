import { command } from '../../command.ts'
import { findNamed } from '../../find-named.ts'
import { KEY_OPTIONS, type KeyRing, mustExist, withKeyRing } from '../../key-ring.ts'

export const removeKeyCommand = command({
  summary: 'Removes an API key; flows that need it refuse calls until they get another one',
  args: ['<id|name>'],
  options: KEY_OPTIONS,
  settings: ['DATA_DIR'],
  async run({ world, config, args, options }) {
    mustExist(config, options)
    await withKeyRing({ world, config, options }, async (ring) => {
      await ring.remove(await idOf(args[0]!, ring))
      world.stderr.write(`The key ${args[0]} is removed.\n`)
    })
    return 0
  },
})

/** The id of the key with this id or name; a text that is neither is returned, and refused later. */
const idOf = async (given: string, ring: KeyRing): Promise<string> =>
  findNamed(await ring.list(), given, { kind: 'keys', nameOf: ({ keyName }) => keyName })?.id ?? given
