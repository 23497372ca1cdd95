import type { CredentialAnswer } from '../../../api/credential.ts'
import { fetchCredentials } from '../../credential-kinds.ts'
import { flag } from '../../options.ts'
import { printRows } from '../../print-rows.ts'
import { serverCommand } from '../../server-command.ts'
import type { Column } from '../../table.ts'

export const listCredentialsCommand = serverCommand({
  summary: 'Lists the credentials, without their secrets',
  options: { json: flag('prints the rows as JSON') },
  async run({ world, client, options: { json } }) {
    printRows(await fetchCredentials(client), COLUMNS, { world, json, none: 'There is no credential.' })
    return 0
  },
})

const COLUMNS: Column<CredentialAnswer>[] = [
  { title: 'name', value: ({ name }) => name, style: () => 'bold' },
  { title: 'kind', value: ({ credentialName }) => credentialName },
  { title: 'updated', value: ({ updatedDate }) => updatedDate.slice(0, 16).replace('T', ' ') },
  { title: 'last used', value: ({ lastUsedAt }) => lastUsedAt?.slice(0, 16).replace('T', ' ') ?? 'never' },
  { title: 'id', value: ({ id }) => id },
]
