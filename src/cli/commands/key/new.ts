import { type KeyScope, SCOPES } from '../../../contract/api-key-store.ts'
import { readPins } from '../../../callers/pins.ts'
import { readQuotas } from '../../../callers/quotas.ts'
import { command } from '../../command.ts'
import { UsageError } from '../../failure.ts'
import { KEY_OPTIONS, withKeyRing } from '../../key-ring.ts'
import { flag, repeated, futureTime } from '../../options.ts'

export const newKey = command({
  summary: 'Makes an API key and prints it; it cannot be shown again',
  args: ['[name]'],
  about:
    'Without --url it writes to the data directory, or to the database of DATABASE_URL, whether a server runs or not. Only the\n' +
    'key goes to standard output, for scripts: key=$(sluice key new backup --scope query)',
  options: {
    ...KEY_OPTIONS,
    scope: repeated(
      SCOPES.join('|'),
      'what callers with the key may do; upsert, query and predict unless given',
    ),
    flow: repeated('flow', 'a flow, by slug or id, that callers with the key may use; see also --bind'),
    bind: repeated(
      'flow',
      'a flow that needs a key from now on: this one, or one made with --flow for that flow',
    ),
    pin: repeated(
      'name=value',
      'metadata that every document of the key gets; the key finds and changes only documents with all of its pins',
    ),
    quota: repeated(
      'name=number',
      'the most that callers with the key may use: chunks=10000 that its documents have (with --pin), bytes=500mb of uploads a day, questions=200 a day; days are of UTC',
    ),
    expires: futureTime('when the key expires: after 30d, 12h or 90m, or at a date such as 2030-01-31'),
    json: flag('prints the key with its name, scopes and flows as JSON'),
  },
  settings: ['DATA_DIR'],
  examples: [
    '--scope manage',
    'website --scope query --flow quickstart',
    'handbook --bind handbook',
    'agency --expires 30d',
    'acme --flow handbook --pin tenant=acme --quota chunks=10000,questions=200/day',
  ],
  async run({ world, config, args, options }) {
    const scopes = scopesOf(options.scope)
    const pins = readPins(options.pin)
    const request = {
      keyName: args[0] ?? scopes.join(' '),
      scopes,
      flows: options.flow,
      ...(options.pin.length > 0 ? { pins } : {}),
      ...(options.quota.length > 0 ? { quotas: readQuotas(options.quota, pins) } : {}),
      ...(options.bind.length > 0 ? { bind: options.bind } : {}),
      ...(options.expires === undefined ? {} : { expiresAt: options.expires }),
    }
    await withKeyRing({ world, config, options }, async (ring) => {
      const made = await ring.create(request)
      world.stdout.write(`${options.json ? JSON.stringify(made) : made.apiKey}\n`)
      world.stderr.write(
        `The key "${request.keyName}" (${scopes.join(', ')}) cannot be shown again: only its hash is stored.\n`,
      )
      if (options.expires !== undefined) world.stderr.write(`It expires at ${options.expires}.\n`)
      if (options.pin.length > 0)
        world.stderr.write(
          'It works on its own documents alone. A flow that needs no key shows those of all to callers without one: --bind closes it.\n',
        )
      for (const flow of options.bind) world.stderr.write(`The flow ${flow} now needs this key.\n`)
    })
    return 0
  },
})

function scopesOf(given: string[]): KeyScope[] {
  const scopes = given.flatMap((text) => text.split(',')).map((text) => text.trim())
  if (scopes.length === 0) return ['upsert', 'query', 'predict']
  return [...new Set(scopes)].map((text) => {
    const scope = SCOPES.find((one) => one === text)
    if (!scope) throw new UsageError(`--scope: there is no scope ${text}; there are ${SCOPES.join(', ')}`)
    return scope
  })
}
