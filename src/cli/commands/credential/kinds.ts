import type { CredentialKindAnswer } from '../../../api/credential.ts'
import { fetchKinds } from '../../credential-kinds.ts'
import { flag } from '../../options.ts'
import { printRows } from '../../print-rows.ts'
import { serverCommand } from '../../server-command.ts'
import type { Column } from '../../table.ts'

export const kinds = serverCommand({
  summary: 'Lists the kinds of credentials and their fields',
  options: { json: flag('prints the rows as JSON') },
  async run({ world, client, options: { json } }) {
    printRows(await fetchKinds(client), COLUMNS, { world, json, none: 'There is no kind of credential.' })
    return 0
  },
})

const COLUMNS: Column<CredentialKindAnswer>[] = [
  { title: 'kind', value: ({ name }) => name, style: () => 'bold' },
  { title: 'about', value: ({ label }) => label },
  { title: 'fields', value: ({ inputs }) => inputs.map(({ name }) => name).join(', ') },
]
