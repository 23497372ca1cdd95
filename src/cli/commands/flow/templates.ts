import type { TemplateAnswer } from '../../../api/flow-settings.ts'
import { command } from '../../command.ts'
import { fetchTemplates } from '../../flow-templates.ts'
import { flag } from '../../options.ts'
import { paintFor } from '../../paint.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'
import { table } from '../../table.ts'

export const templates = command({
  summary: 'Lists the templates that a flow can be made of',
  options: { ...SERVER_OPTIONS, json: flag('prints the server’s answer as it is') },
  settings: SERVER_SETTINGS,
  async run({ world, config, options }) {
    const rows = await fetchTemplates(serverOf(options, config, world))
    if (options.json) world.stdout.write(`${JSON.stringify(rows)}\n`)
    else
      world.stdout.write(
        table<TemplateAnswer>(
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
