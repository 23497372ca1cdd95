import type { Json, JsonObject } from '../kit/json.ts'

/** A node within a node of an agent flow: which card, and its raw inputs. */
export type ChosenNode = { name: string; inputs: JsonObject }

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
export type KnowledgeSource = {
  name: string
  description: string
  returnSourceDocuments: boolean
  /** A vector store and its embedder, or the flow of this server whose store it is. */
  from: { store: ChosenNode; embedder: ChosenNode } | { flow: string }
}

export type KeyValue = { key: string; value: Json }

export type StepComparison = {
  type: 'string' | 'number' | 'boolean'
  value1: Json
  operation: string
  value2: Json
}

/** A step that asks a model. */
export type ModelStep = {
  type: 'model'
  model: ChosenNode
  messages: StepMessage[]
  /** Tools, and whether a person is asked before each of their calls. */
  tools: { tool: ChosenNode; asks: boolean }[]
  /** Whether a person is asked before any call that changes something. */
  asksBeforeChanges: boolean
  knowledge: KnowledgeSource[]
  /** How often the model may be asked. */
  maxIterations: number
  memory: StepMemory | undefined
  userMessage: string
  /** As whom the answer is told to the nodes after. */
  returnAs: 'userMessage' | 'assistantMessage'
  answer: AnswerField[]
  updateState: KeyValue[]
}

/** A step in which a model chooses one of the ways on. */
export type ConditionAgentStep = {
  type: 'choice'
  model: ChosenNode
  instructions: string
  input: string
  scenarios: string[]
  /** Replaces our own system prompt; the model then answers as Flowise asks it to, `{"output": "a scenario"}`. */
  systemPrompt: string | undefined
  memory: StepMemory | undefined
}

/** A node of an agent flow, read: what its engine does when its turn comes. */
export type StepPart =
  | { type: 'start'; form: boolean; state: KeyValue[]; ephemeral: boolean }
  | ModelStep
  | { type: 'reply'; message: string }
  | { type: 'condition'; conditions: StepComparison[] }
  | ConditionAgentStep
  | {
      type: 'http'
      method: string
      url: string
      headers: KeyValue[]
      query: KeyValue[]
      bodyType: 'json' | 'raw' | 'formData' | 'xWwwFormUrlencoded'
      body: Json
      responseType: 'json' | 'text' | 'arraybuffer' | 'base64'
      credential: string | undefined
    }
  | { type: 'retriever'; flows: string[]; query: string; withMetadata: boolean; updateState: KeyValue[] }
  | { type: 'tool'; tool: ChosenNode; input: JsonObject; updateState: KeyValue[] }
  | { type: 'person'; description: string; ask?: { model: ChosenNode; prompt: string }; feedback: boolean }
  | { type: 'each'; items: Json }
  | {
      type: 'flow'
      flow: string
      input: string
      overrides: JsonObject
      returnAs: ModelStep['returnAs']
      updateState: KeyValue[]
    }
  | { type: 'code'; code: string; values: KeyValue[]; updateState: KeyValue[] }
  | { type: 'loop'; to: string; most: number; fallback: string; updateState: KeyValue[] }
