import type { TemplateAnswer } from '../../../api/flow-settings.ts'
import { fetchTemplates } from '../../flow-templates.ts'
import { flag } from '../../options.ts'
import { printRows } from '../../print-rows.ts'
import { serverCommand } from '../../server-command.ts'
import type { Column } from '../../table.ts'

export const templates = serverCommand({
  summary: 'Lists the templates for "sluice flow new"',
  options: { json: flag('prints the rows as JSON') },
  async run({ world, client, options: { json } }) {
    printRows(await fetchTemplates(client), COLUMNS, { world, json, none: 'There is no template.' })
    return 0
  },
})

const COLUMNS: Column<TemplateAnswer>[] = [
  { title: 'template', value: ({ name }) => name, style: () => 'bold' },
  { title: 'about', value: ({ about }) => about },
  { title: 'to set', value: ({ asks }) => asks.map((key) => `${key}=…`).join(' ') },
]
