import { isObject, type JsonObject } from '../../kit/json.ts'

/** The settings that decide where calls go. */
export type ServerChoice = {
  /** Address of the description; relative server addresses are resolved against it. */
  link?: string
  /** The server that the flow selects, as written in the description or as a full address. */
  selected?: string
  /** Values for the variables in addresses. */
  variables: JsonObject
}

/** The addresses of a list of servers, with variables filled in, absolute if possible. */
export function readServers(
  servers: unknown,
  { link, variables }: ServerChoice,
): { written: string; url: string }[] {
  const list = Array.isArray(servers) ? servers.filter((server) => isObject(server)) : []
  return list.flatMap((server) => {
    if (typeof server.url !== 'string') return []
    const written = server.url.trim()
    const filled = fill(written, server.variables, variables)
    return [{ written, url: absolute(filled, link) ?? filled }]
  })
}

/**
 * The server for the calls of an operation. A selected server of the description replaces only the servers of the
 * whole description; any other selected address replaces all servers.
 *
 * @param own the servers of the operation, or of its path item
 * @throws Error with the reason if there is no absolute address
 */
export function chooseServer(own: unknown, root: unknown, choice: ServerChoice): string {
  const { selected } = choice
  const common = readServers(root, choice)
  const selectedServer = common.find(({ written, url }) => selected === written || selected === url)
  const otherAddress =
    selected === undefined || selectedServer
      ? undefined
      : absolute(fill(selected, {}, choice.variables), choice.link)
  const url =
    otherAddress ??
    readServers(own, choice)[0]?.url ??
    selectedServer?.url ??
    common[0]?.url ??
    absolute('/', choice.link)
  if (url === undefined) throw new Error('the description has no server: select one')
  const variable = /\{[^{}]*\}/.exec(url)?.[0]
  if (variable) throw new Error(`the server variable ${variable} has no default: choose a server`)
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new Error(`the server ${url.slice(0, 200)} is not an absolute address: select one`)
  return url.replace(/(?<!\/)\/+$/, '')
}

function fill(url: string, declared: unknown, given: JsonObject): string {
  const variables = isObject(declared) ? declared : {}
  return url.replace(/\{([^{}]+)\}/g, (placeholder, name: string) => {
    const variable = isObject(variables[name]) ? variables[name] : {}
    const first = Array.isArray(variable.enum) ? variable.enum[0] : undefined
    const value = given[name] ?? variable.default ?? first
    return value === undefined ? placeholder : String(value)
  })
}

function absolute(url: string, link: string | undefined): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return url
  return link !== undefined && URL.canParse(url, link) ? new URL(url, link).href : undefined
}
