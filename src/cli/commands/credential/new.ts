import type { CredentialKindAnswer } from '../../../api/credential.ts'
import { text as readAll } from 'node:stream/consumers'
import { askLine, canAsk } from '../../ask-person.ts'
import { checkFields, readCredentialFields } from '../../credential-fields.ts'
import { fetchKind } from '../../credential-kinds.ts'
import { UsageError } from '../../failure.ts'
import { jsonBody } from '../../http.ts'
import { flag, text } from '../../options.ts'
import { printable } from '../../printable.ts'
import { readAnswer } from '../../read-answer.ts'
import { serverCommand } from '../../server-command.ts'
import type { World } from '../../world.ts'

export const newCredential = serverCommand({
  summary: 'Makes a credential, which the server encrypts and never shows again',
  // A further argument is refused by `run`, in a message that does not repeat it: it may be the secret.
  args: ['<kind>', '[nothing else]…'],
  about:
    'On a terminal it asks for the fields of the kind and does not show secrets while they are typed. Otherwise it reads them\n' +
    'from standard input: a JSON object, FIELD=value lines, or only the value for a kind with one field. Arguments cannot hold\n' +
    'them, because other users of the machine can see arguments. "sluice credential kinds" lists the kinds and their fields.',
  options: {
    name: text('name', 'the name of the credential; its kind unless given'),
    json: flag('prints the credential as JSON, without its secrets'),
  },
  examples: ['openAIApi', 'openAIApi --name support < key.txt'],
  async run({ world, client, args, options }) {
    if (args.length > 1)
      throw new UsageError(
        'secrets are not taken from arguments, which other users can see: type them on the terminal, or use standard input',
      )
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
      `The credential ${printable(name)} is stored encrypted. To use it in a flow: sluice flow set FLOW credential=${printable(name)}\n`,
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
