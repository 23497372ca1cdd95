import { invocation } from '../../announce.ts'
import { assignments } from '../../assignments.ts'
import { printWarning } from '../../flow-answer.ts'
import { fetchSettings, printChanges } from '../../flow-settings.ts'
import { fetchTemplates } from '../../flow-templates.ts'
import type { Client } from '../../http.ts'
import { makeFlow } from '../../make-flow.ts'
import { flag, text } from '../../options.ts'
import { printable } from '../../printable.ts'
import { serverCommand } from '../../server-command.ts'
import type { World } from '../../world.ts'

export const newFlow = serverCommand({
  summary: 'Makes a flow from a template',
  args: ['<name>', '[key=value]…'],
  about:
    'The settings that may follow the name are those of "sluice flow set". When one is refused, no flow is made. The slug of\n' +
    'the new flow goes to standard output. "sluice flow templates" lists the templates.',
  options: {
    template: text('template', 'the template; quickstart unless given'),
    json: flag('prints the flow and its changes as JSON'),
  },
  examples: [
    'handbook chunkSize=600 chunkOverlap=60',
    '"Our site" --template website url=https://example.com limit=50',
  ],
  async run({ world, client, args, options }) {
    const [name, ...given] = args as [string, ...string[]]
    const wanted = assignments(given, 'a setting')
    const { template = 'quickstart', json } = options
    const changed = await makeFlow(client, { name, template }, wanted)
    if (json) world.stdout.write(`${JSON.stringify(changed)}\n`)
    else {
      world.stdout.write(`${printable(changed.flow.slug)}\n`)
      if (changed.changes.length > 0) printChanges(changed, { ...world, stdout: world.stderr })
      printWarning(changed.flow, world)
      await printNextSteps(client, { flow: changed.flow.slug, template, wanted }, world)
    }
    return 0
  },
})

type Next = { flow: string; template: string; wanted: Record<string, string> }

/** Prints what the flow still needs, with the commands for it. */
async function printNextSteps(client: Client, { flow, template, wanted }: Next, world: World): Promise<void> {
  const say = (line: string) => void world.stderr.write(`${printable(line)}\n`)
  const sluice = invocation(world)
  const asks = (await fetchTemplates(client)).find(({ name }) => name === template)?.asks ?? []
  const missing = asks.filter((key) => wanted[key] === undefined)
  for (const key of missing) say(`It needs: ${sluice} flow set ${flow} ${key}=…`)
  const settings = await fetchSettings(client, flow)
  const kinds = settings.nodes.flatMap(({ credential, credentialKinds = [] }) =>
    credential === null ? credentialKinds : [],
  )
  if (kinds.length > 0)
    say(
      `To answer questions it needs a credential: ${sluice} credential new ${kinds[0]}, then ${sluice} flow set ${flow} credential=${kinds[0]}`,
    )
  if (settings.key === null)
    say(
      `Anyone who reaches the server may call it. To require an API key: ${sluice} key new ${flow} --bind ${flow}`,
    )
}
