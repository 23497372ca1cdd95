import { command } from '../../command.ts'
import { findNamed } from '../../find-named.ts'
import { type KeyRing, mustExist, withKeyRing } from '../../key-ring.ts'
import { SERVER_OPTIONS } from '../../server-options.ts'

export const rm = command({
  summary: 'Takes an API key away; flows bound to it stay closed',
  args: ['<id|name>'],
  options: SERVER_OPTIONS,
  settings: ['DATA_DIR'],
  async run({ world, config, args, options }) {
    mustExist(config, options)
    await withKeyRing({ world, config, options }, async (ring) => {
      await ring.remove(await idOf(args[0]!, ring))
      world.stderr.write(`The key ${args[0]} opens nothing any more.\n`)
    })
    return 0
  },
})

/** A name is taken for its key where only one key has it. */
const idOf = async (given: string, ring: KeyRing): Promise<string> =>
  findNamed(await ring.list(), given, { kind: 'keys', nameOf: ({ keyName }) => keyName })?.id ?? given
