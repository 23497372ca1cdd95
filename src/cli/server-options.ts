import type { Config } from '../kit/config.ts'
import { isSendableKey } from '../kit/setting-kinds.ts'
import { UsageError } from './failure.ts'
import { type Client, connectTo } from './http.ts'
import { text } from './options.ts'
import type { World } from './world.ts'

/** The options of every command that calls a server. */
export const SERVER_OPTIONS = {
  url: text('address', 'the address of the server; http://HOST:PORT unless given'),
  key: text('key', 'the API key; SLUICE_KEY of the environment unless given'),
}
export const SERVER_SETTINGS = ['HOST', 'PORT'] as const

/** What these settings mean to a command that calls a server. */
export const SERVER_SETTING_TEXTS = {
  HOST: 'the host of the server, unless --url is given',
  PORT: 'the port of the server, unless --url is given; 3000 by default',
}

export type ServerOptions = { url: string | undefined; key: string | undefined }

/** @throws UsageError for an invalid address, and for a key that a header cannot hold */
export function serverOf({ url, key }: ServerOptions, config: Config, world: World): Client {
  const own = key ?? world.environment.SLUICE_KEY
  if (own && !isSendableKey(own))
    throw new UsageError(
      `${key === undefined ? 'SLUICE_KEY' : '--key'}: a key is one line of ASCII characters, without spaces or line breaks around it`,
    )
  // ADMIN_KEY is the key of this machine's server. It is never sent to another address.
  if (url === undefined) return connectTo(new URL(localUrl(config)), { key: own || config.ADMIN_KEY })
  const address = URL.parse(/^\w+:\/\//.test(url) ? url : `http://${url}`)
  if (!address || !/^https?:$/.test(address.protocol))
    throw new UsageError(`--url: ${JSON.stringify(url)} is not an address such as http://127.0.0.1:3000`)
  return connectTo(address, { key: own })
}

/** The address of this machine's server, by its settings. */
export function localUrl({ HOST, PORT = 3000 }: Pick<Config, 'HOST' | 'PORT'>): string {
  if (PORT === 0) throw new UsageError('with PORT=0 the port of the server is not known: give --url')
  return reachable(HOST, PORT)
}

/** The address at which this machine reaches a server of its own that listens on a host and a port. */
export function reachable(HOST: string, port: number | string): string {
  // A server that listens on every address is reached on the loopback one.
  const host = HOST === '0.0.0.0' ? '127.0.0.1' : HOST === '::' ? '::1' : HOST
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`
}
