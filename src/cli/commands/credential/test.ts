import { fetchCredentials, findCredential } from '../../credential-kinds.ts'
import { jsonBody } from '../../http.ts'
import { flag, text } from '../../options.ts'
import { printable } from '../../printable.ts'
import { readAnswer } from '../../read-answer.ts'
import { serverCommand } from '../../server-command.ts'

export const testCredentialCommand = serverCommand({
  summary: 'Tests a credential: the server calls the provider with it and prints the answer',
  args: ['<id|name>'],
  about:
    'The call costs next to nothing: it is the list of models where the provider has one. Exit code 1: refused.',
  options: {
    address: text('address', 'the base address to call; the one of the provider unless given'),
    json: flag('prints the answer as JSON'),
  },
  examples: ['support', 'local --address http://localhost:8080/v1'],
  async run({ world, client, args, options: { address, json } }) {
    const { id, name } = findCredential(args[0]!, await fetchCredentials(client))
    const verdict = await readAnswer(
      client.send(
        'POST',
        `credentials/${encodeURIComponent(id)}/test`,
        jsonBody(address === undefined ? {} : { address }),
      ),
      async () => (await import('../../../api/credential.ts')).credentialVerdict,
      'the answer of a provider',
    )
    if (json) world.stdout.write(`${JSON.stringify(verdict)}\n`)
    else
      world.stdout.write(
        `${printable(`${name}: ${verdict.message} (${verdict.address}, ${verdict.timeTaken} ms)`)}\n`,
      )
    return verdict.ok ? 0 : 1
  },
})
