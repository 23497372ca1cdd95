import { draftPath, fetchDraft, onlyDraft, requireDraft } from '../../../draft-answer.ts'
import { warnOfOldLoads } from '../../../load-comparison.ts'
import { flag } from '../../../options.ts'
import { printable } from '../../../printable.ts'
import { readAnswer } from '../../../read-answer.ts'
import { serverCommand } from '../../../server-command.ts'

export const publishDraftCommand = serverCommand({
  summary: 'Makes the draft of a flow live, as its newest revision',
  args: ['<flow>'],
  about:
    'It is refused where the draft cannot run, and where the live drawing was changed since. Documents stay as they were loaded:\n' +
    'this command says which differ, and "sluice refresh" loads them again.',
  options: { json: flag('prints the server’s answer as it is') },
  examples: ['quickstart'],
  async run({ world, client, args, options: { json } }) {
    const flow = args[0]!
    const { number } = requireDraft(await fetchDraft(client, flow))
    const published = await readAnswer(
      client.send('POST', `${draftPath(flow)}/publish`, undefined, onlyDraft(number)),
      async () => (await import('../../../../api/flow-draft.ts')).publishedFlow,
      'a published flow',
    )
    if (json) world.stdout.write(`${JSON.stringify(published)}\n`)
    else
      world.stderr.write(
        `The draft of ${printable(published.slug)} is live, as revision ${published.revision}.\n`,
      )
    if (published.note !== null) world.stderr.write(`${printable(published.note)}\n`)
    if (!json) await warnOfOldLoads(client, flow, world)
    return 0
  },
})
