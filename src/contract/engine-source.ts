import type { JsonObject } from '../kit/json.ts'
import type { Candidate, SearchRequest } from './search.ts'
import type { SeparateEngine } from './vector-engine.ts'

/** A separate engine, with the connections that it holds. */
export type ConnectedEngine = SeparateEngine & {
  /**
   * The best of a table or collection that another program has filled, by vector; none where there is none. They are found, but
   * not listed or changed. A candidate whose `flowise_chatId` is not that of the request must not be among them.
   */
  outside?(request: SearchRequest): Promise<Candidate[]>
  /** Closes its connections, at the end of the process. Not called while a store of it works. */
  close?(): Promise<void>
}

/**
 * What an engine is made from again, where no flow names it any more: the card, and the inputs of the node. They have the id of its
 * credential, and may have a password in an address. `byRequest`: a request or a variable has typed the address.
 */
export type EngineRecipe = { card: string; inputs: JsonObject; byRequest: boolean }

/**
 * A separate engine as the card of a store describes it. `stores/` makes the engine at the first use and keeps it for all
 * flows with the same `name` and `key`.
 */
export type EngineSource = {
  /**
   * The kind and the place of the engine, such as `postgres db.example.com:5432/app documents`. It is stored with each index,
   * so that a namespace is not searched in another engine, and shown in messages: without secrets.
   */
  readonly name: string
  /** What the engine depends on besides its name: the id of its credential, options. Kept in memory only. */
  readonly key: string
  /** As the card says it. */
  readonly experimental?: true
  /** Absent where no node of a flow has made it. */
  readonly recipe?: EngineRecipe
  /** Makes the engine. It connects at its first call, and reads its credential then. */
  create(): ConnectedEngine
}
