import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Fence } from '../contract/fence.ts'
import type { FlowRow } from '../contract/flow-store.ts'
import type { DailyQuota } from '../contract/quota.ts'
import { SluiceError } from '../kit/errors.ts'
import type { Access, FlowScope } from './access.ts'
import type { PageRule } from './cross-origin.ts'
import type { RequestWork } from './door/request-queue.ts'

/** The shape of an input or an answer of a route. */
export type Shape = z.ZodType
type Out<S extends Shape | undefined> = S extends Shape ? z.output<S> : undefined

type Answer = { status?: number; description: string; shape?: Shape; type?: string }

/** One route: access, input, answer. The checks of requests and `/openapi.json` are made from it. */
export type Declaration<
  P extends Shape | undefined,
  Q extends Shape | undefined,
  B extends Shape | undefined,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  summary: string
  tag: string
  access: Access
  /** Whether its answers hold a new key, code or session. */
  givesSecret?: true
  /** Whether its calls go into the audit log; calls of routes with access `manage` always do. */
  audited?: boolean
  /**
   * What callers with a pinned key may do here. `fenced`: the handler works within their fence. `harmless`: it gives and
   * changes nothing that was loaded or asked. Without it they are refused, except on routes that all may call.
   */
  pinned?: 'fenced' | 'harmless'
  /** What a call does to others, see `RequestWork`; `waiting` unless given. */
  work?: RequestWork
  /** Which pages of other sites may call it; by default none. */
  pages?: PageRule
  params?: P
  query?: Q
  /** Headers that the handler reads, for the description. */
  headers?: Shape
  /** Shape of a JSON body; a missing body counts as `{}`. */
  body?: B
  /** The limit of a JSON body in MB; by default 1. */
  bodyMegabytes?: number
  /** The accepted content types, if there are others than JSON; the handler reads a form itself. */
  accepts?: readonly string[]
  answer: Answer
  /** Other successful answers; the handler sends them itself. */
  also?: readonly Answer[]
  /** The shape of a failure, if the protocol of the route has its own. */
  failure?: Shape
  handle(call: Call<Out<P>, Out<Q>, Out<B>>): Promise<unknown>
}

export type Call<P, Q, B> = {
  params: P
  query: Q
  body: B
  /** The flow of the path; only on flow routes. */
  flow: FlowRow
  /** The name of the caller, unique per key. */
  caller(): Promise<string>
  /** Whose turn a job of this request takes, see `jobOwner`; only on flow routes. */
  owner(): Promise<string>
  /** What limits the caller to the documents of its pins; undefined for a caller without pins. */
  fence(): Promise<Fence | undefined>
  /**
   * Counts what the request uses of a daily quota of the caller's key.
   *
   * @throws SluiceError `quota_exceeded`
   */
  spend(quota: DailyQuota, amount: number): Promise<void>
  /** Checks the caller again, once the handler has received a body itself. @throws SluiceError the refusal */
  admitAgain(): Promise<void>
  /** Whether the caller has any key, or needs none because only this machine can reach the server. */
  hasKey(): Promise<boolean>
  /** Whether the request comes from this machine, and only this machine can reach the server. */
  isLocal(): boolean
  /** Admits the caller to a flow that the body names, on routes with `by: 'body'`. @throws SluiceError the refusal */
  enter(idOrSlug: string): Promise<FlowRow>
  /** Whether the caller has this scope for the flow of the path, or for another. */
  may(scope: FlowScope, flow?: FlowRow): Promise<boolean>
  /** A signal that aborts, with `cancelled`, when the client leaves before it has its answer. */
  clientGone(): AbortSignal
  request: FastifyRequest
  reply: FastifyReply
}

export type Route = Declaration<Shape | undefined, Shape | undefined, Shape | undefined>

/** Declares a route. The types of the handler's parameters follow from the shapes. */
export function route<
  const P extends Shape | undefined = undefined,
  const Q extends Shape | undefined = undefined,
  const B extends Shape | undefined = undefined,
>(declaration: Declaration<P, Q, B>): Route {
  return declaration as unknown as Route
}

/** The media type of a form with files. */
export const FORM = 'multipart/form-data'

/** Whether the body of a request is a multipart form; media types are case-insensitive (RFC 9110, 8.3.1). */
export const isForm = (request: FastifyRequest): boolean =>
  request.headers['content-type']?.toLowerCase().startsWith(FORM) ?? false

/** Aborts, with `cancelled`, when the client leaves before it has its answer. Then no more work is done for it. */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const leave = () => {
    if (!raw.writableFinished) gone.abort(new SluiceError('cancelled'))
  }
  if (raw.destroyed) leave()
  else raw.once('close', leave)
  return gone.signal
}
