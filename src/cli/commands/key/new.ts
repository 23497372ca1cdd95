import { type Scope, SCOPES } from '../../../contract/api-key-store.ts'
import { command } from '../../command.ts'
import { UsageError } from '../../failure.ts'
import { withKeyRing } from '../../key-ring.ts'
import { flag, list, moment } from '../../options.ts'
import { SERVER_OPTIONS } from '../../server-options.ts'

export const newKey = command({
  summary: 'Makes an API key and shows it, this once',
  args: ['[name]'],
  about:
    'Without --url it works on the data directory, whether a server runs or not. The key alone goes to standard\n' +
    'output, so that a script can keep it: key=$(sluice key new backup --scope query)',
  options: {
    ...SERVER_OPTIONS,
    scope: list(SCOPES.join('|'), 'what the key may do; upsert, query and predict unless given'),
    flow: list('flow', 'a flow it opens besides those bound to it, by slug or id'),
    bind: list('flow', 'a flow that it closes: only this key, and keys that list the flow, open it'),
    expires: moment('when it ends: after 30d, 12h or 90m, or at a date such as 2030-01-31'),
    json: flag('prints the key and what belongs to it as JSON'),
  },
  settings: ['DATA_DIR'],
  examples: [
    '--scope manage',
    'website --scope query --flow quickstart',
    'handbook --bind handbook',
    'agency --expires 30d',
  ],
  async run({ world, config, args, options }) {
    const scopes = scopesOf(options.scope)
    const wish = {
      keyName: args[0] ?? scopes.join(' '),
      scopes,
      flows: options.flow,
      ...(options.bind.length > 0 ? { bind: options.bind } : {}),
      ...(options.expires === undefined ? {} : { expiresAt: options.expires }),
    }
    await withKeyRing({ world, config, options }, async (ring) => {
      const made = await ring.create(wish)
      world.stdout.write(`${options.json ? JSON.stringify(made) : made.apiKey}\n`)
      world.stderr.write(
        `The key "${wish.keyName}" (${scopes.join(', ')}) is shown only now; only its hash is kept.\n`,
      )
      if (options.expires !== undefined) world.stderr.write(`It expires at ${options.expires}.\n`)
      for (const flow of options.bind) world.stderr.write(`The flow ${flow} is closed: this key opens it.\n`)
    })
    return 0
  },
})

function scopesOf(given: string[]): Scope[] {
  const scopes = given.flatMap((text) => text.split(',')).map((text) => text.trim())
  if (scopes.length === 0) return ['upsert', 'query', 'predict']
  return [...new Set(scopes)].map((text) => {
    const scope = SCOPES.find((one) => one === text)
    if (!scope) throw new UsageError(`--scope: there is no scope ${text}; there are ${SCOPES.join(', ')}`)
    return scope
  })
}
