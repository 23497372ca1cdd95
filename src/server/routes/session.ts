import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { sessionState, signedOut, signInBody, signInCode, signOutQuery } from '../../api/session.ts'
import type { SessionRow } from '../../contract/session-store.ts'
import { requireManager } from '../access.ts'
import { type Route, route } from '../route.ts'
import type { SessionCookie } from '../session-cookie.ts'
import { CODE_MS } from '../../callers/sign-in-code.ts'
import { type Sessions, sessionEnd } from '../sessions.ts'

/** Sign-in to the studio and out of it. The token of a session is only ever in its cookie. */
export function sessionRoutes(sessions: Sessions, cookie: SessionCookie): Route[] {
  const url = '/api/v1/session'
  const shared = { url, tag: 'management', access: 'open', audited: true } as const
  const state = { description: 'Whether this browser is signed in, and until when', shape: sessionState }

  return [
    route({
      ...shared,
      method: 'GET',
      audited: false,
      summary: 'Whether this browser is signed in to the studio',
      answer: state,
      handle: async ({ request }) => present(request.caller.session),
    }),
    route({
      ...shared,
      method: 'POST',
      summary: 'Sign in to the studio with the code of a sign-in link or with a key that may manage',
      body: signInBody,
      answer: state,
      async handle({ body, request, reply }) {
        const { session, token } = await signIn(body, request)
        cookie.set(request, reply, token)
        request.caller.session = session
        return present(session)
      },
    }),
    route({
      ...shared,
      method: 'DELETE',
      summary: 'Sign out of the studio, or with everywhere=true end the sessions of all browsers',
      query: signOutQuery,
      answer: { description: 'The number of sessions that ended', shape: signedOut },
      async handle({ query, request, reply }) {
        const { session } = request.caller
        if (query.everywhere === 'true') await requireManager(request)
        cookie.clear(request, reply)
        if (query.everywhere === 'true') return { ended: await sessions.endAll() }
        if (session) await sessions.end(session.id)
        return { ended: session ? 1 : 0 }
      },
    }),
    route({
      method: 'POST',
      url: `${url}/codes`,
      givesSecret: true,
      summary: 'A code for one sign-in within five minutes, for a link ending in #sign-in=CODE',
      tag: 'management',
      access: 'manage',
      answer: { description: 'The code', shape: signInCode },
      async handle() {
        const code = await sessions.newCode()
        return { code, expiresAt: new Date(Date.now() + CODE_MS).toISOString() }
      },
    }),
  ]

  async function signIn({ code, key }: z.output<typeof signInBody>, request: FastifyRequest) {
    if (code !== undefined) return sessions.beginWithCode(code)
    const caller = request.caller.withKey(key!)
    await requireManager({ caller })
    return sessions.begin((await caller.forAudit()).keyId)
  }
}

const present = (session: SessionRow | undefined) => ({
  signedIn: session !== undefined,
  expiresAt: session ? new Date(sessionEnd(session)).toISOString() : null,
})
