import { isObject } from '../../../kit/json.ts'
import { command } from '../../command.ts'
import { flag } from '../../options.ts'
import { paintFor } from '../../paint.ts'
import { rowsOf } from '../../rows.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'
import { table } from '../../table.ts'

type Template = { name: string; about: string; asks: string[] }

export const templates = command({
  summary: 'Lists the templates that a flow can be made of',
  options: { ...SERVER_OPTIONS, json: flag('prints the server’s answer as it is') },
  settings: SERVER_SETTINGS,
  async run({ world, config, options }) {
    const answer = await serverOf(options, config, world).send('GET', 'flow-templates')
    const rows = rowsOf(answer).filter(isObject) as unknown as Template[]
    if (options.json) world.stdout.write(`${JSON.stringify(answer)}\n`)
    else
      world.stdout.write(
        table(
          rows,
          [
            { title: 'template', value: ({ name }) => name, style: () => 'bold' },
            { title: 'about', value: ({ about }) => about },
            { title: 'to set', value: ({ asks }) => asks.map((key) => `${key}=…`).join(' ') },
          ],
          paintFor(world.stdout, world.environment),
        ),
      )
    return 0
  },
})
