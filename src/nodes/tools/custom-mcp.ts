import { defineNode } from '../../cards/define-node.ts'
import { objectField, textListField } from '../../cards/field.ts'
import { listsHost } from '../../kit/egress/rules.ts'
import { SluiceError } from '../../kit/errors.ts'
import { isObject, type JsonObject } from '../../kit/json.ts'
import { remoteToolset } from '../../tools/mcp/remote-toolset.ts'
import { InputError } from '../../cards/input-error.ts'

/** The tools of an MCP server over HTTP. A flow must not start programs: a configuration with a command is refused. */
export const customMCP = defineNode({
  kind: 'tools',
  name: 'customMCP',
  label: 'Custom MCP',
  version: 1.1,
  category: 'Tools (MCP)',
  type: 'Custom MCP Tool',
  baseClasses: ['Tool'],
  description:
    'The tools of a remote MCP server, over streamable HTTP. MCP_ALLOW lists the hosts that may be used',
  fields: {
    mcpServerConfig: objectField('MCP Server Config', {
      guard: 'url',
      description: '{"url": "https://…", "headers": {"Authorization": "Bearer …"}}',
    }),
    mcpActions: textListField('Available Actions', {
      main: true,
      description: 'The names of the tools to use. Default: all',
    }),
  },
  anchors: {},
  build({ values }, { egress, settings }) {
    const config = serverIn(values.mcpServerConfig)
    const url = addressOf(config)
    if (!listsHost('MCP_ALLOW', settings.MCP_ALLOW, url))
      throw new SluiceError('egress_denied', {
        host: url.host,
        reason: 'MCP_ALLOW does not list it',
        hint: `To allow it, start the server with MCP_ALLOW=${url.host}`,
      })
    const only = values.mcpActions?.length ? { only: values.mcpActions } : {}
    return remoteToolset({ url, headers: headersOf(config), egress: egress.forMcp(), ...only })
  },
})

/** The server of a configuration: the object itself, or the only entry of `{"mcpServers": {"name": {…}}}`. */
function serverIn(config: JsonObject): JsonObject {
  if (!isObject(config.mcpServers)) return config
  const servers = Object.values(config.mcpServers).filter(isObject)
  if (servers.length !== 1) throw new Error('expected exactly one server in mcpServers')
  return servers[0] as JsonObject
}

function addressOf(config: JsonObject): URL {
  if (config.command !== undefined)
    throw new InputError('mcpServerConfig', 'commands are not supported', {
      instead: 'Run it as a server with streamable HTTP, give its url here and list its host in MCP_ALLOW',
    })
  if (typeof config.url !== 'string' || !/^https?:$/.test(URL.parse(config.url)?.protocol ?? ''))
    throw new Error('expected a url that begins with http:// or https://')
  return new URL(config.url)
}

const headersOf = ({ headers }: JsonObject): Record<string, string> =>
  isObject(headers)
    ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    : {}
