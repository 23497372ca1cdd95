import type { CredentialKindAnswer } from '../../../api/credential.ts'
import { text as readAll } from 'node:stream/consumers'
import { askLine, canAsk } from '../../ask-person.ts'
import { command } from '../../command.ts'
import { checkFields, readCredentialFields } from '../../credential-fields.ts'
import { fetchKind } from '../../credential-kinds.ts'
import { UsageError } from '../../failure.ts'
import { jsonBody } from '../../http.ts'
import { flag, text } from '../../options.ts'
import { printable } from '../../printable.ts'
import { readAnswer } from '../../read-answer.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'
import type { World } from '../../world.ts'

export const newCredential = command({
  summary: 'Makes a credential; the server encrypts what is in it and never shows it again',
  // What stands behind the kind is refused without being repeated: it may be the secret itself.
  args: ['<kind>', '[nothing else]…'],
  about:
    'On a terminal it asks for the fields of the kind; what is secret is not shown while it is typed. Else standard input\n' +
    'holds them: a JSON object, FIELD=value lines, or the bare value for a kind of one field. They are never taken from\n' +
    'arguments, which other users of the machine can see. "sluice credential kinds" lists kinds and fields.',
  options: {
    ...SERVER_OPTIONS,
    name: text('name', 'what it is called; its kind unless given'),
    json: flag('prints the credential as JSON, without what is in it'),
  },
  settings: SERVER_SETTINGS,
  examples: ['openAIApi', 'openAIApi --name support < key.txt'],
  async run({ world, config, args, options }) {
    if (args.length > 1)
      throw new UsageError('what a credential holds is not taken from arguments, which other users can see')
    const client = serverOf(options, config, world)
    const kind = await fetchKind(client, args[0]!)
    const name = options.name ?? kind.name
    const plainDataObj = canAsk(world)
      ? await askFields(kind, world)
      : readCredentialFields(await readAll(world.stdin), kind)
    const made = await readAnswer(
      client.send('POST', 'credentials', jsonBody({ name, credentialName: kind.name, plainDataObj })),
      async () => (await import('../../../api/credential.ts')).credentialShape,
      'a credential',
    )
    world.stdout.write(options.json ? `${JSON.stringify(made)}\n` : `${made.id}\n`)
    world.stderr.write(
      `The credential ${printable(name)} is kept encrypted. A flow takes it by: sluice flow set FLOW credential=${printable(name)}\n`,
    )
    return 0
  },
})

async function askFields(kind: CredentialKindAnswer, world: World): Promise<Record<string, string>> {
  const given: Record<string, string> = {}
  for (const { name, label, type, optional } of kind.inputs) {
    const question = `${label}${optional ? ' (may be left empty)' : ''}: `
    given[name] = (await askLine(world, question, { secret: type === 'password' })).trim()
  }
  return checkFields(given, kind)
}
