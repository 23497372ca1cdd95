import type { ProviderSettings } from '../kit/config.ts'
import type { Egress } from '../kit/egress/client.ts'
import type { JsonObject } from '../kit/json.ts'
import type { ChatModel } from './chat-model.ts'
import type { MemoryPart } from './chat-history.ts'
import type { ChunkStore } from './chunk-store.ts'
import type { Document } from './document.ts'
import type { Embedder } from './embedder.ts'
import type { Fields, ValuesOf } from './field.ts'
import type { FileParser } from './file-parser.ts'
import type { Filter } from './filter.ts'
import type { Loader } from './loader.ts'
import type { RecordManager } from './record-manager.ts'
import type { Reranker } from './reranker.ts'
import type { RetrievalSettings } from './retrieval.ts'
import type { StepPart } from './step.ts'
import type { TextSplitter } from './splitter.ts'
import type { Toolset } from './tool.ts'

/** The vector store of a flow with all that hangs on it: what an upsert and a query need. */
export type StorePart = {
  store: ChunkStore
  embedder: Embedder
  loaders: Loader[]
  recordManager?: RecordManager
  /** How the store answers unless a request says otherwise. */
  retrieval: RetrievalSettings
}

/** What answers in a chat flow: a description that the agent engine runs. */
export type AnswererPart =
  | {
      type: 'toolAgent'
      model: ChatModel
      tools: Toolset[]
      memory?: MemoryPart
      systemMessage: string
      /** How often the model may be asked within one answer. */
      maxIterations: number
      /** Whether a person is asked before any call that changes something. */
      asksBeforeChanges: boolean
    }
  | {
      type: 'retrievalChain'
      model: ChatModel
      retriever: StorePart
      memory?: MemoryPart
      returnSourceDocuments: boolean
      /** With `{chat_history}` and `{question}`; how a follow-up becomes a question that stands alone. */
      rephrasePrompt: string
      /** With `{context}`. */
      responsePrompt: string
    }
  | { type: 'conversationChain'; model: ChatModel; memory?: MemoryPart; systemMessage: string }

/** The kinds of part a node can be, and what each is once built. */
export type PartKinds = {
  loader: Loader
  splitter: TextSplitter
  embedder: Embedder
  recordManager: RecordManager
  reranker: Reranker
  vectorStore: StorePart
  chatModel: ChatModel
  tools: Toolset
  memory: MemoryPart
  answerer: AnswererPart
  step: StepPart
}

export type PartKind = keyof PartKinds

/** A place where another node plugs in. */
export type Anchor<K extends PartKind = PartKind, L extends boolean = boolean> = {
  kind: K
  label: string
  /** The class that Flowise's editor shows and checks. */
  type: string
  optional?: boolean
  list: L
}

export const anchor = <const K extends PartKind>(
  kind: K,
  label: string,
  type: string,
  options: { optional?: boolean } = {},
): Anchor<K, false> => ({ kind, label, type, list: false, ...options })

export const anchors = <const K extends PartKind>(kind: K, label: string, type: string): Anchor<K, true> => ({
  kind,
  label,
  type,
  list: true,
  optional: true,
})

/** Where nodes may read files of this machine: below the one, never below the other. */
export type ReadableFolders = { allowed: readonly string[]; never: readonly string[] }

/** What nodes use of the platform: files, network, credentials, stores. */
export type NodeServices = {
  parser: FileParser
  /** A folder that the parser may read, for bytes that do not come from a file. */
  scratch: string
  folders: ReadableFolders
  egress: Egress
  /**
   * What a stored credential holds, by the names of its inputs.
   *
   * @param kinds those that the node takes; any unless given
   * @throws SluiceError `credential_not_found`, `credential_wrong_kind`
   */
  credential(id: string, kinds?: readonly string[]): Promise<Record<string, string>>
  /** Provider settings from the environment. */
  settings: ProviderSettings
  /** The built-in store of a namespace. */
  openStore(namespace: string): ChunkStore
  /** Queries a store of the flow as the query route does. */
  retrieve(
    part: StorePart,
    query: string,
    narrowing: { filter?: Filter; chatId?: string },
    signal: AbortSignal,
  ): Promise<Document[]>
}

/** The services for the nodes of one flow. */
export type FlowContext = NodeServices & { flowId: string }

/** What one node is built with. */
export type BuildContext = FlowContext & { nodeId: string }

type Anchors = Record<string, Anchor>

type Plugged<A extends Anchors> = {
  [N in keyof A]: A[N] extends Anchor<infer K, infer L>
    ? L extends true
      ? PartKinds[K][]
      : PartKinds[K] | undefined
    : never
}

/** One thing to choose: shown by its label, written into the flow by its name. More may be said of it. */
export type ListOption = { label: string; name: string; description?: string } & JsonObject

/** @throws SluiceError where what there is cannot be had */
export type ListOptions<Values> = (values: Values, context: BuildContext) => Promise<ListOption[]>

/** A node as the editor and the flow files know it: it dresses a part. */
export type NodeCard<K extends PartKind = PartKind> = {
  readonly kind: K
  /** The look-up key in flow files. */
  readonly name: string
  readonly label: string
  readonly version: number
  readonly category: string
  readonly type: string
  readonly baseClasses: readonly string[]
  readonly description: string
  readonly fields: Fields
  readonly anchors: Anchors
  /** What there is to choose from once other inputs are known, by the name that an editor asks for it with. */
  readonly lists?: Readonly<Record<string, ListOptions<Record<string, unknown>>>>
  /** @throws Error with the reason where values do not fit one another */
  build(
    input: { values: Record<string, unknown>; parts: Record<string, unknown> },
    context: BuildContext,
  ): PartKinds[K]
}

type Declaration<K extends PartKind, F extends Fields, A extends Anchors> = Omit<
  NodeCard<K>,
  'fields' | 'anchors' | 'lists' | 'build'
> & {
  fields: F
  anchors: A
  lists?: Readonly<Record<string, ListOptions<ValuesOf<F>>>>
  build(input: { values: ValuesOf<F>; parts: Plugged<A> }, context: BuildContext): PartKinds[K]
}

/** Declares a node; the types of `values` and `parts` follow from its fields and anchors. */
export function defineNode<const K extends PartKind, const F extends Fields, const A extends Anchors>(
  card: Declaration<K, F, A>,
): NodeCard<K> {
  return card as unknown as NodeCard<K>
}
