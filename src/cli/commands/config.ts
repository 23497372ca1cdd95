import { describeConfig } from '../../kit/config.ts'
import { command } from '../command.ts'
import { ALL_SETTINGS, flag } from '../options.ts'
import { paintFor } from '../paint.ts'
import { table } from '../table.ts'

export const config = command({
  summary: 'Shows every setting, its value (secrets masked) and where the value comes from',
  options: { json: flag('prints the rows as JSON') },
  settings: ALL_SETTINGS,
  examples: ['', '--json'],
  async run({ world, config, options }) {
    const rows = describeConfig(config)
    if (options.json) world.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
    else
      world.stdout.write(
        table(
          rows,
          [
            { title: 'name', value: (row) => row.name, style: () => 'bold' },
            { title: 'value', value: (row) => row.value },
            {
              title: 'from',
              value: (row) => row.origin,
              style: (row) => (row.origin === 'default' ? 'dim' : 'cyan'),
            },
            { title: 'about', value: (row) => row.about, style: () => 'dim' },
          ],
          paintFor(world.stdout, world.environment),
          // In a pipe each setting is one line.
          world.stdout.isTTY ? world.stdout.columns : undefined,
        ),
      )
    return 0
  },
})
