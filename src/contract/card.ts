import type { ProviderSettings } from '../kit/config.ts'
import type { Egress } from '../kit/egress/client.ts'
import type { JsonObject } from '../kit/json.ts'
import type { AnswerForm } from './answer-form.ts'
import type { ChatModel } from './chat-model.ts'
import type { CustomToolStore } from './custom-tool-store.ts'
import type { MemoryPart } from './chat-history.ts'
import type { ChunkStore } from './chunk-store.ts'
import type { Document } from './document.ts'
import type { Embedder } from './embedder.ts'
import type { EngineSource } from './engine-source.ts'
import type { Fields, ValuesOf } from './field.ts'
import type { FileParser } from './file-parser.ts'
import type { Filter } from './filter.ts'
import type { Loader } from './loader.ts'
import type { Moderation } from './moderation.ts'
import type { NamedPrompt, PromptPart } from './prompt.ts'
import type { RecordManager } from './record-manager.ts'
import type { Reranker } from './reranker.ts'
import type { RetrievalSettings } from './retrieval.ts'
import type { StepPart } from './step.ts'
import type { TextSplitter } from './splitter.ts'
import type { Toolset } from './tool.ts'
import type { ValuePart } from './value-part.ts'

/** The vector store of a flow with the parts that plug into it: what an upsert and a query need. */
export type StorePart = {
  store: ChunkStore
  embedder: Embedder
  loaders: Loader[]
  recordManager?: RecordManager
  /** The defaults of a query. */
  retrieval: RetrievalSettings
  /** The store of another flow: only this part has its documents, its embedder and its settings. @throws as `FlowStores.open` */
  open?(): Promise<StorePart>
}

/** A store of this server as a list offers it. */
export type ListedStore = { id: string; name: string; description: string }

/** The stores of other flows. */
export type FlowStores = {
  /**
   * The store of a flow, as a query of that flow uses it.
   *
   * @param id id or slug
   * @param within what opens its chunks: within the fence of the request
   * @throws SluiceError `flow_cannot_query` if there is no such flow, or its store is that of yet another flow; and as planning does
   */
  open(id: string, within: Pick<NodeServices, 'openStore' | 'openSeparateStore'>): Promise<StorePart>
  /** The document stores. */
  list(): Promise<ListedStore[]>
}

/** The answering node of a chat flow. The agent engine runs it. */
export type AnswererPart =
  | {
      type: 'toolAgent'
      model: ChatModel
      tools: Toolset[]
      memory?: MemoryPart
      moderations: Moderation[]
      systemMessage: string
      /** The maximum number of model calls for one answer. */
      maxIterations: number
      /** Whether a person must approve calls of `unsafe` tools. */
      asksBeforeChanges: boolean
      /** Whether the answer leaves out the documents that the tools found. */
      hidesSources?: boolean
    }
  | {
      type: 'retrievalChain'
      model: ChatModel
      retriever: StorePart
      memory?: MemoryPart
      moderations: Moderation[]
      returnSourceDocuments: boolean
      /** The prompt for a question that can be understood without the conversation. Contains `{chat_history}` and `{question}`. */
      /** Whether a model rewrites a question with its conversation before the search. */
      rewritesQuestion: boolean
      rephrasePrompt: string
      /** The prompt for the answer. Contains `{context}`. */
      responsePrompt: string
    }
  | {
      type: 'conversationChain'
      model: ChatModel
      memory?: MemoryPart
      moderations: Moderation[]
      systemMessage: string
      /** In place of the system message; the conversation comes before its last message. */
      prompt?: PromptPart
    }
  | {
      type: 'promptChain'
      model: ChatModel
      /** The name of the chain, for the record of a run. */
      name?: string
      moderations: Moderation[]
      prompt: PromptPart
      form?: AnswerForm
    }
  | { type: 'multiPromptChain'; model: ChatModel; moderations: Moderation[]; prompts: NamedPrompt[] }

/** A search whose passages stand in prompts. `query`: as it is drawn; empty for the question. */
export type PassageSearch = { retriever: StorePart; query: string }

/** The kinds of part, and the type of a built part of each kind. */
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
  moderation: Moderation
  answerer: AnswererPart
  value: ValuePart
  prompt: PromptPart
  namedPrompt: NamedPrompt
  answerForm: AnswerForm
  passages: PassageSearch
  step: StepPart
}

export type PartKind = keyof PartKinds

/** An input that other nodes plug into. */
export type Anchor<K extends PartKind = PartKind, L extends boolean = boolean> = {
  kind: K
  label: string
  /** The class that Flowise's editor shows and checks. */
  type: string
  optional?: boolean
  /** Whether it takes more than one node. */
  list: L
}

/** The folders whose files nodes may read. `never` wins over `allowed`. */
export type ReadableFolders = { allowed: readonly string[]; never: readonly string[] }

/** The scores that vectors and keywords gave a hit; null where a side did not find it. */
export type SidesOfHit = { vector: number | null; keyword: number | null }

/** What a search of a flow adds to the settings of the store. `history`: earlier questions of the conversation, the oldest first. */
export type SearchNarrowing = { filter?: Filter; chatId?: string; history?: readonly string[] }

/** The services that nodes use: files, network, credentials, stores. */
export type NodeServices = {
  parser: FileParser
  /** A folder that the parser may read, for bytes that do not come from a file. */
  scratch: string
  folders: ReadableFolders
  egress: Egress
  /**
   * The values of a stored credential, by field name.
   *
   * @param kinds the accepted kinds; all if absent
   * @throws SluiceError `credential_not_found`, `credential_wrong_kind`
   */
  credential(id: string, kinds?: readonly string[]): Promise<Record<string, string>>
  /** Provider settings from the environment. */
  settings: ProviderSettings
  /** The built-in store of a namespace. */
  openStore(namespace: string): ChunkStore
  /** The custom tools of the workspace. */
  customTools: Pick<CustomToolStore, 'find' | 'list'>
  /** The store of a namespace in a separate engine. Nothing connects before the store is used. */
  openSeparateStore(namespace: string, engine: EngineSource): ChunkStore
  flowStores: FlowStores
  /** Queries a store of the flow as the query route does. @param noteScores gets the scores of the documents, in their order, and those of both sides */
  retrieve(
    part: StorePart,
    query: string,
    narrowing: SearchNarrowing,
    signal: AbortSignal,
    noteScores?: (scores: readonly number[], sides?: readonly SidesOfHit[]) => void,
  ): Promise<Document[]>
}

/** The services for the nodes of one flow. */
export type FlowContext = NodeServices & {
  flowId: string
  /** The addresses in the drawing, where a request or a variable may have changed some of them. */
  typedAddresses?: ReadonlySet<string>
}

/** The services for one node, and its id. */
export type BuildContext = FlowContext & {
  nodeId: string
  /**
   * Notes what the part looks at before its first call and may refuse for, such as its credential. A check of a flow makes the
   * same look; where parts are built to work, this is absent. `input`: the one that a refusal is about.
   */
  beforeUse?: (look: () => Promise<unknown>, input?: string) => void
}

/** The inputs of a node that other nodes plug into, by name. */
export type Anchors = Record<string, Anchor>

/** What is plugged in. */
export type Plugged<A extends Anchors> = {
  [N in keyof A]: A[N] extends Anchor<infer K, infer L>
    ? L extends true
      ? PartKinds[K][]
      : PartKinds[K] | undefined
    : never
}

/** An option of a list: the editor shows `label` and writes `name` into the flow. Other keys are for display. */
export type ListOption = { label: string; name: string; description?: string } & JsonObject

/** @throws SluiceError if the options cannot be loaded */
export type ListOptions<Values> = (values: Values, context: BuildContext) => Promise<ListOption[]>

/** A way out of a node. With `each`: one for each row of that input, named by a column of the row or by its number. */
export type NodeOutput = { label: string; each?: string; column?: string }

/** The declaration of a node: what the editor and flow files need, and how its part is built. */
export type NodeCard<K extends PartKind = PartKind> = {
  readonly kind: K
  /** The name of the node in flow files. */
  readonly name: string
  readonly label: string
  readonly version: number
  readonly category: string
  /** The name of a Lucide icon, where the node has another one than its category. */
  readonly icon?: string
  readonly type: string
  readonly baseClasses: readonly string[]
  readonly description: string
  /** No test has met the product that the node talks to, only an imitation of it. Lists, reports, docs and the log say so. */
  readonly experimental?: true
  /** Its texts are filled with variables before it is built, although it answers: its engine has no text of its own. */
  readonly fillsTexts?: true
  readonly fields: Fields
  readonly anchors: Anchors
  /** The ways out; absent for a node with one, named by its type. */
  readonly outputs?: readonly NodeOutput[]
  /** Options that depend on other inputs, by the method name that the editor sends. */
  readonly lists?: Readonly<Record<string, ListOptions<Record<string, unknown>>>>
  /** Refuses what plugs in, where that can be said without the other parts. @throws InputError */
  checkParts?(parts: Record<string, unknown>): void
  /** @throws Error with the reason if the values contradict each other; it names the input, or is an InputError */
  build(
    input: { values: Record<string, unknown>; parts: Record<string, unknown> },
    context: BuildContext,
  ): PartKinds[K]
}

/** The declaration of a node with the types of its fields and anchors. */
export type CardDeclaration<K extends PartKind, F extends Fields, A extends Anchors> = Omit<
  NodeCard<K>,
  'fields' | 'anchors' | 'lists' | 'build' | 'checkParts'
> & {
  fields: F
  anchors: A
  lists?: Readonly<Record<string, ListOptions<ValuesOf<F>>>>
  checkParts?(parts: Partial<Plugged<A>>): void
  build(input: { values: ValuesOf<F>; parts: Plugged<A> }, context: BuildContext): PartKinds[K]
}
