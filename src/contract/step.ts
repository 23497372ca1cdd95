import type { Json, JsonObject } from '../kit/json.ts'

/** The kinds of credential that an HTTP node takes. */
export const HTTP_CREDENTIAL_KINDS: readonly string[] = ['httpBasicAuth', 'httpBearerToken', 'httpApiKey']

/** A node configured inside a node of an agent flow, such as its model: the name of its card and its raw inputs. */
export type ChosenNode = { name: string; inputs: JsonObject }

export type StepMessage = { role: 'system' | 'user' | 'assistant'; content: string }

/** Which earlier messages a model gets. */
export type StepMemory = {
  type: 'allMessages' | 'windowSize' | 'conversationSummary' | 'conversationSummaryBuffer'
  /** For `windowSize`: pairs of a question and an answer. */
  windowSize: number
  /** For the two summary types: the approximate size of the newest messages together, in tokens. */
  maxTokens: number
}

/** A field of a JSON answer. */
export type AnswerField = {
  key: string
  type: 'string' | 'stringArray' | 'number' | 'boolean' | 'enum' | 'jsonArray'
  /** Separated by commas. */
  enumValues: string
  /** JSON text, the properties of an item: `{"name": {"type": "string", "description": "…"}}`. */
  jsonSchema: string
  description: string
}

/** A store that a model searches with a tool. */
export type KnowledgeSource = {
  name: string
  description: string
  returnSourceDocuments: boolean
  /** A person must approve each search. */
  needsApproval: boolean
  /** A vector store with its embedder, or the id or slug of the flow that has the store. */
  from: { store: ChosenNode; embedder: ChosenNode } | { flow: string }
}

export type KeyValue = { key: string; value: Json }

export type StepComparison = {
  type: 'string' | 'number' | 'boolean'
  value1: Json
  operation: string
  value2: Json
}

/** An LLM or Agent node. */
export type ModelStep = {
  type: 'model'
  model: ChosenNode
  messages: StepMessage[]
  /** `needsApproval`: a person must approve each call. */
  tools: { tool: ChosenNode; needsApproval: boolean }[]
  /** Whether a person must approve calls of `unsafe` tools. */
  asksBeforeChanges: boolean
  knowledge: KnowledgeSource[]
  /** The maximum number of model calls. */
  maxIterations: number
  memory: StepMemory | undefined
  userMessage: string
  /** The role of the answer in the conversation that later nodes read. */
  returnAs: 'userMessage' | 'assistantMessage'
  answer: AnswerField[]
  updateState: KeyValue[]
}

/** A Condition Agent node: a model chooses the branch. */
export type ConditionAgentStep = {
  type: 'conditionAgent'
  model: ChosenNode
  instructions: string
  input: string
  scenarios: string[]
  /** Replaces the default system prompt. The model then answers in Flowise's form, `{"output": "a scenario"}`. */
  systemPrompt: string | undefined
  memory: StepMemory | undefined
}

/** A node of an agent flow with its inputs read. */
export type StepPart =
  | { type: 'start'; form: boolean; state: KeyValue[]; ephemeral: boolean; persistsState: boolean }
  | ModelStep
  | { type: 'directReply'; message: string }
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
  | {
      type: 'humanInput'
      description: string
      /** Lets a model write the description. */
      ask?: { model: ChosenNode; prompt: string }
      /** Whether the person may add a text to the decision. */
      feedback: boolean
    }
  | { type: 'iteration'; items: Json }
  | {
      type: 'executeFlow'
      /** Id or slug. */
      flow: string
      input: string
      overrides: JsonObject
      returnAs: ModelStep['returnAs']
      updateState: KeyValue[]
    }
  | { type: 'customFunction'; code: string; values: KeyValue[]; updateState: KeyValue[] }
  | { type: 'loop'; to: string; maxCount: number; fallback: string; updateState: KeyValue[] }
