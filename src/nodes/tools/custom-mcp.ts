import { defineNode } from '../../contract/card.ts'
import { objectField, textListField } from '../../contract/field.ts'
import { listsHost } from '../../kit/egress/rules.ts'
import { SluiceError } from '../../kit/errors.ts'
import { isObject, type JsonObject } from '../../kit/json.ts'
import { remoteToolset } from '../../tools/mcp/remote-toolset.ts'

/** Another program's tools over HTTP. A flow can never start a program: a configuration with a command is refused. */
export const customMCP = defineNode({
  kind: 'tools',
  name: 'customMCP',
  label: 'Custom MCP',
  version: 1.1,
  category: 'Tools (MCP)',
  type: 'Custom MCP Tool',
  baseClasses: ['Tool'],
  description:
    'The tools of a remote MCP server, over streamable HTTP; MCP_ALLOW says which hosts may be used',
  fields: {
    mcpServerConfig: objectField('MCP Server Config', {
      guard: 'url',
      description: '{"url": "https://…", "headers": {"Authorization": "Bearer …"}}',
    }),
    mcpActions: textListField('Available Actions', {
      description: 'Only these tools; all of them unless given',
    }),
  },
  anchors: {},
  build({ values }, { egress, settings }) {
    const config = serverIn(values.mcpServerConfig)
    const url = addressOf(config)
    if (!listsHost('MCP_ALLOW', settings.MCP_ALLOW, url))
      throw new SluiceError('egress_denied', {
        host: url.host,
        hint: `To allow it, start the server with MCP_ALLOW=${url.host}`,
      })
    const only = values.mcpActions?.length ? { only: values.mcpActions } : {}
    return remoteToolset({ url, headers: headersOf(config), egress, ...only })
  },
})

/** The configuration itself, or the one server of the form `{"mcpServers": {"name": {…}}}`. */
function serverIn(config: JsonObject): JsonObject {
  if (!isObject(config.mcpServers)) return config
  const servers = Object.values(config.mcpServers).filter(isObject)
  if (servers.length !== 1) throw new Error('expected one server in mcpServers')
  return servers[0] as JsonObject
}

function addressOf(config: JsonObject): URL {
  if (config.command !== undefined) throw new Error('only servers with a url can be used, no commands')
  if (typeof config.url !== 'string' || !/^https?:$/.test(URL.parse(config.url)?.protocol ?? ''))
    throw new Error('expected a url of http or https')
  return new URL(config.url)
}

const headersOf = ({ headers }: JsonObject): Record<string, string> =>
  isObject(headers)
    ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    : {}
