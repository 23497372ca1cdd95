import { isObject, type JsonObject } from '../../kit/json.ts'

/** What decides where calls go. */
export type ServerChoice = {
  /** Where the description was found; relative addresses are read against it. */
  link?: string
  /** The server that the flow selects, as written in the description or as a full address. */
  selected?: string
  /** For the variables of the addresses. */
  variables: JsonObject
}

/** The addresses of a list of servers, variables filled in, absolute where that is possible. */
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
 * The server that the calls of an operation go to. A selected server of the description replaces the servers of the whole
 * description only; any other selected address replaces all servers.
 *
 * @param own the servers of the operation, else of its path
 * @throws Error with the reason where there is no absolute address
 */
export function chooseServer(own: unknown, root: unknown, choice: ServerChoice): string {
  const { selected } = choice
  const common = readServers(root, choice)
  const picked = common.find(({ written, url }) => selected === written || selected === url)
  const foreign =
    selected === undefined || picked ? undefined : absolute(fill(selected, {}, choice.variables), choice.link)
  const url =
    foreign ?? readServers(own, choice)[0]?.url ?? picked?.url ?? common[0]?.url ?? absolute('/', choice.link)
  if (url === undefined) throw new Error('the description names no server: select one')
  const place = /\{[^{}]*\}/.exec(url)?.[0]
  if (place) throw new Error(`the server variable ${place} has no default: choose a server`)
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new Error(`the server ${url.slice(0, 200)} is no absolute address: select one`)
  return url.replace(/(?<!\/)\/+$/, '')
}

function fill(url: string, declared: unknown, given: JsonObject): string {
  const variables = isObject(declared) ? declared : {}
  return url.replace(/\{([^{}]+)\}/g, (place, name: string) => {
    const variable = isObject(variables[name]) ? variables[name] : {}
    const first = Array.isArray(variable.enum) ? variable.enum[0] : undefined
    const value = given[name] ?? variable.default ?? first
    return value === undefined ? place : String(value)
  })
}

function absolute(url: string, link: string | undefined): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return url
  return link !== undefined && URL.canParse(url, link) ? new URL(url, link).href : undefined
}
