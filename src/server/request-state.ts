import type { FastifyInstance } from 'fastify'
import type { FlowRow } from '../contract/flow-store.ts'
import type { RequestCaller } from './caller.ts'
import type { RequestClient } from './door/client.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the request comes from; set by the door. */
    client: RequestClient
    /** Who sends it; set before the route. */
    caller: RequestCaller
    /** The flow that the caller was admitted to; undefined on routes without one. */
    flow: FlowRow | undefined
    /** The code of the failure that was answered. */
    failureCode: string | undefined
    /** The id of what the call created or changed, where the path does not hold it. */
    objectId: string | undefined
  }
}

/**
 * Adds the fields above to every request. Fields, because a WeakMap with one entry per request takes most of the time
 * of a small request: its entries keep the garbage collector busy.
 */
export function addRequestState(app: FastifyInstance): void {
  app.decorateRequest('client')
  app.decorateRequest('caller')
  app.decorateRequest('flow', undefined)
  app.decorateRequest('failureCode', undefined)
  app.decorateRequest('objectId', undefined)
}
