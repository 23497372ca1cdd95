import { draftPath, fetchDraft, onlyDraft, requireDraft } from '../../../draft-answer.ts'
import { flag } from '../../../options.ts'
import { printable } from '../../../printable.ts'
import { readAnswer } from '../../../read-answer.ts'
import { serverCommand } from '../../../server-command.ts'

export const removeDraftCommand = serverCommand({
  summary: 'Removes the draft of a flow; the live flow stays as it is',
  args: ['<flow>'],
  options: { json: flag('prints the server’s answer as it is') },
  examples: ['quickstart'],
  async run({ world, client, args, options: { json } }) {
    const state = await fetchDraft(client, args[0]!)
    const answer = await readAnswer(
      client.send('DELETE', draftPath(args[0]!), undefined, onlyDraft(requireDraft(state).number)),
      async () => (await import('../../../../api/removal.ts')).removalShape,
      'the end of a draft',
    )
    if (json) world.stdout.write(`${JSON.stringify(answer)}\n`)
    else world.stderr.write(`The draft of ${printable(state.flow)} is removed.\n`)
    return 0
  },
})
