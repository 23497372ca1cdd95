import type { Json, JsonObject } from '../kit/json.ts'

/** A node within a node of an agent flow: which card, and its raw inputs. */
export type Chosen = { name: string; inputs: JsonObject }

export type StepMessage = { role: 'system' | 'user' | 'assistant'; content: string }

/** How much of the conversation a model is reminded of. */
export type StepMemory = {
  type: 'allMessages' | 'windowSize' | 'conversationSummary' | 'conversationSummaryBuffer'
  /** Pairs of messages. */
  windowSize: number
  /** About how many tokens the newest messages may have together. */
  maxTokens: number
}

/** A field of an answer that is JSON. */
export type AnswerField = {
  key: string
  type: 'string' | 'stringArray' | 'number' | 'boolean' | 'enum' | 'jsonArray'
  /** Between commas. */
  enumValues: string
  /** Of an item: `{"name": {"type": "string", "description": "…"}}` as JSON text. */
  jsonSchema: string
  description: string
}

/** What a model may look something up in, as a tool of its own. */
export type Knowledge = {
  name: string
  description: string
  returnSourceDocuments: boolean
  /** A vector store and its embedder, or the flow of this server whose store it is. */
  from: { store: Chosen; embedder: Chosen } | { flow: string }
}

export type Pair = { key: string; value: Json }

export type Comparison = {
  type: 'string' | 'number' | 'boolean'
  value1: Json
  operation: string
  value2: Json
}

/** A step that asks a model. */
export type ModelStep = {
  type: 'model'
  model: Chosen
  messages: StepMessage[]
  /** Tools, and whether a person is asked before each of their calls. */
  tools: { tool: Chosen; asks: boolean }[]
  /** Whether a person is asked before any call that changes something. */
  asksBeforeChanges: boolean
  knowledge: Knowledge[]
  /** How often the model may be asked. */
  maxIterations: number
  memory: StepMemory | undefined
  userMessage: string
  /** As whom the answer is told to the nodes after. */
  returnAs: 'userMessage' | 'assistantMessage'
  answer: AnswerField[]
  updateState: Pair[]
}

/** A step in which a model chooses one of the ways on. */
export type ChoiceStep = {
  type: 'choice'
  model: Chosen
  instructions: string
  input: string
  scenarios: string[]
  /** Replaces our own system prompt; the model then answers as Flowise asks it to, `{"output": "a scenario"}`. */
  systemPrompt: string | undefined
  memory: StepMemory | undefined
}

/** A node of an agent flow, read: what its engine does when its turn comes. */
export type StepPart =
  | { type: 'start'; form: boolean; state: Pair[]; ephemeral: boolean }
  | ModelStep
  | { type: 'reply'; message: string }
  | { type: 'condition'; conditions: Comparison[] }
  | ChoiceStep
  | {
      type: 'http'
      method: string
      url: string
      headers: Pair[]
      query: Pair[]
      bodyType: 'json' | 'raw' | 'formData' | 'xWwwFormUrlencoded'
      body: Json
      responseType: 'json' | 'text' | 'arraybuffer' | 'base64'
      credential: string | undefined
    }
  | { type: 'retriever'; flows: string[]; query: string; withMetadata: boolean; updateState: Pair[] }
  | { type: 'tool'; tool: Chosen; input: JsonObject; updateState: Pair[] }
  | { type: 'person'; description: string; ask?: { model: Chosen; prompt: string }; feedback: boolean }
  | { type: 'each'; items: Json }
  | {
      type: 'flow'
      flow: string
      input: string
      overrides: JsonObject
      returnAs: ModelStep['returnAs']
      updateState: Pair[]
    }
  | { type: 'code'; code: string; values: Pair[]; updateState: Pair[] }
  | { type: 'loop'; to: string; most: number; fallback: string; updateState: Pair[] }
