import { invocation } from '../../announce.ts'
import { assignments } from '../../assignments.ts'
import { command } from '../../command.ts'
import { fetchSettings, printChanges } from '../../flow-settings.ts'
import { fetchTemplates } from '../../flow-templates.ts'
import type { Client } from '../../http.ts'
import { makeFlow } from '../../make-flow.ts'
import { flag, text } from '../../options.ts'
import { printable } from '../../printable.ts'
import { SERVER_OPTIONS, SERVER_SETTINGS, serverOf } from '../../server-options.ts'
import type { World } from '../../world.ts'

export const newFlow = command({
  summary: 'Makes a flow of a template',
  args: ['<name>', '[key=value]…'],
  about:
    'The settings that follow the name are those of "sluice flow set"; where one is refused no flow is made. The address\n' +
    'of the new flow goes to standard output. "sluice flow templates" lists the templates.',
  options: {
    ...SERVER_OPTIONS,
    template: text('template', 'what it begins as; quickstart unless given'),
    json: flag('prints the flow and its changes as JSON'),
  },
  settings: SERVER_SETTINGS,
  examples: [
    'handbook chunkSize=600 chunkOverlap=60',
    '"Our site" --template website url=https://example.com limit=50',
  ],
  async run({ world, config, args, options }) {
    const [name, ...given] = args as [string, ...string[]]
    const wanted = assignments(given, 'a setting')
    const client = serverOf(options, config, world)
    const { template = 'quickstart', json } = options
    const changed = await makeFlow(client, { name, template }, wanted)
    if (json) world.stdout.write(`${JSON.stringify(changed)}\n`)
    else {
      world.stdout.write(`${printable(changed.flow.slug)}\n`)
      if (changed.changes.length > 0) printChanges(changed, { ...world, stdout: world.stderr })
      await printNextSteps(client, { flow: changed.flow.slug, template, wanted }, world)
    }
    return 0
  },
})

type Next = { flow: string; template: string; wanted: Record<string, string> }

/** What the flow still needs, and the command that comes next. */
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
      `To answer in sentences it needs a credential: ${sluice} credential new ${kinds[0]}, then ${sluice} flow set ${flow} credential=${kinds[0]}`,
    )
  if (settings.key === null)
    say(`It is open. With a key of its own: ${sluice} key new ${flow} --bind ${flow}`)
}
