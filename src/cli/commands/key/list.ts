import type { KeyAnswer } from '../../../api/api-key.ts'
import { QUOTAS } from '../../../contract/quota.ts'
import { command } from '../../command.ts'
import { KEY_OPTIONS, mustExist, withKeyRing } from '../../key-ring.ts'
import { flag } from '../../options.ts'
import { printRows } from '../../print-rows.ts'
import type { Column } from '../../table.ts'

export const listKeysCommand = command({
  summary: 'Lists the API keys, without the keys themselves',
  options: { ...KEY_OPTIONS, json: flag('prints the rows as JSON') },
  settings: ['DATA_DIR'],
  async run({ world, config, options }) {
    mustExist(config, options)
    await withKeyRing({ world, config, options }, async (ring) => {
      printRows(await ring.list(), COLUMNS, { world, json: options.json, none: 'There is no API key.' })
    })
    return 0
  },
})

const COLUMNS: Column<KeyAnswer>[] = [
  { title: 'name', value: (key) => key.keyName, style: () => 'bold' },
  { title: 'scopes', value: (key) => key.scopes.join(', ') },
  { title: 'flows', value: (key) => key.flows.join(', ') },
  { title: 'pins', value: ({ pins = {} }) => pinsText(pins) },
  { title: 'quotas', value: quotasText },
  { title: 'last used', value: (key) => timeOf(key.lastUsedAt, 'never') },
  { title: 'expires', value: (key) => expiryOf(key.expiresAt) },
  { title: 'id', value: (key) => key.id },
]

/** `questions 3 of 200`: what is used of each quota, where that is known. */
function quotasText({ quotas = {}, used = {} }: KeyAnswer): string {
  return QUOTAS.filter((name) => quotas[name] !== undefined)
    .map((name) => `${name} ${used[name] ?? '?'} of ${quotas[name]}`)
    .join(', ')
}

const pinsText = (pins: Record<string, string>): string =>
  Object.entries(pins)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')

/** A moment to the minute; empty where the server is older and does not answer it. */
const timeOf = (moment: string | null | undefined, none: string): string =>
  moment === undefined ? '' : moment === null ? none : `${moment.slice(0, 16).replace('T', ' ')} UTC`

const expiryOf = (moment: string | null | undefined): string =>
  moment && Date.parse(moment) <= Date.now() ? `expired ${timeOf(moment, '')}` : timeOf(moment, 'never')
