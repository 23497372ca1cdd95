import { command } from '../../command.ts'
import { mustExist, withKeyRing } from '../../key-ring.ts'
import { flag } from '../../options.ts'
import { paintFor } from '../../paint.ts'
import { SERVER_OPTIONS } from '../../server-options.ts'
import { table } from '../../table.ts'

export const list = command({
  summary: 'Lists the API keys, without the keys themselves',
  options: { ...SERVER_OPTIONS, json: flag('prints the rows as JSON') },
  settings: ['DATA_DIR'],
  async run({ world, config, options }) {
    mustExist(config, options)
    await withKeyRing({ world, config, options }, async (ring) => {
      const keys = await ring.list()
      if (options.json) world.stdout.write(`${JSON.stringify(keys, null, 2)}\n`)
      else if (keys.length === 0) world.stderr.write('There is no API key.\n')
      else
        world.stdout.write(
          table(
            keys,
            [
              { title: 'name', value: (key) => key.keyName, style: () => 'bold' },
              { title: 'scopes', value: (key) => key.scopes.join(', ') },
              { title: 'flows', value: (key) => key.flows.join(', ') },
              { title: 'last used', value: (key) => timeOf(key.lastUsedAt, 'never') },
              { title: 'expires', value: (key) => expiryOf(key.expiresAt) },
              { title: 'id', value: (key) => key.id },
            ],
            paintFor(world.stdout, world.environment),
          ),
        )
    })
    return 0
  },
})

/** A moment to the minute; a server of an earlier version says nothing of it. */
const timeOf = (moment: string | null | undefined, none: string): string =>
  moment === undefined ? '' : moment === null ? none : `${moment.slice(0, 16).replace('T', ' ')} UTC`

const expiryOf = (moment: string | null | undefined): string =>
  moment && Date.parse(moment) <= Date.now() ? `expired ${timeOf(moment, '')}` : timeOf(moment, 'never')
