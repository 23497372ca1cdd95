import { draftLines, fetchDraft } from '../../../draft-answer.ts'
import { flag } from '../../../options.ts'
import { paintFor } from '../../../paint.ts'
import { serverCommand } from '../../../server-command.ts'

export const showDraftCommand = serverCommand({
  summary: 'Shows the draft of a flow: who saved it, of which revision, and what it changes',
  args: ['<flow>'],
  options: { json: flag('prints the server’s answer as it is') },
  examples: ['quickstart'],
  async run({ world, client, args, options: { json } }) {
    const state = await fetchDraft(client, args[0]!)
    if (json) world.stdout.write(`${JSON.stringify(state)}\n`)
    else world.stdout.write(draftLines(state, paintFor(world.stdout, world.environment)))
    return 0
  },
})
