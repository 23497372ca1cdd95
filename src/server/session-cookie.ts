import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '../kit/hash.ts'
import { isOwnOrigin } from './cross-origin.ts'
import { IDLE_MS } from './sessions.ts'

/** Reads and writes the cookie of a studio session. */
export type SessionCookie = {
  /** The token of a request that the studio sent; undefined for requests of all other pages. */
  tokenOf(request: FastifyRequest): string | undefined
  set(request: FastifyRequest, reply: FastifyReply, token: string): void
  clear(request: FastifyRequest, reply: FastifyReply): void
}

/** A browser accepts a cookie with this prefix only with `Secure`, `Path=/` and no domain. */
const SECURE_PREFIX = '__Host-'

/**
 * Cookies do not depend on the port: every server on 127.0.0.1 receives those of all others. The name of ours holds a
 * hash of the secret, so that two servers on one machine do not replace each other's cookie.
 *
 * @param secret the secret of this server
 */
export function sessionCookie(secret: string): SessionCookie {
  const plainName = `sluice-${sha256(`session cookie ${secret}`).slice(0, 12)}`
  const names = [SECURE_PREFIX + plainName, plainName]

  function write(request: FastifyRequest, reply: FastifyReply, value: string, seconds: number): void {
    const secure = nameIn(request) === names[0] || request.headers.origin?.startsWith('https:')
    const name = secure ? names[0]! : plainName
    reply.header('cache-control', 'no-store')
    reply.header(
      'set-cookie',
      `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure ? '; Secure' : ''}`,
    )
  }

  const nameIn = ({ headers }: FastifyRequest) => names.find((name) => cookieValue(headers.cookie, name))

  return {
    tokenOf(request) {
      const name = nameIn(request)
      return name !== undefined && isFromOwnPage(request)
        ? cookieValue(request.headers.cookie, name)
        : undefined
    },
    set: (request, reply, token) => write(request, reply, token, IDLE_MS / 1000),
    clear: (request, reply) => write(request, reply, '', 0),
  }
}

function cookieValue(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(';').find((one) => one.trim().startsWith(`${name}=`))
  return pair?.trim().slice(name.length + 1) || undefined
}

/**
 * Whether a request comes from a page of this server. `SameSite=Strict` alone is not enough: pages of other ports of this
 * machine are of the same site.
 */
function isFromOwnPage({ headers, method, client }: FastifyRequest): boolean {
  const { origin, host } = headers
  const reads = method === 'GET' || method === 'HEAD'
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && !(site === 'none' && reads)) return false
  return origin === undefined ? reads : isOwnOrigin(origin, host, client.local)
}
