import type { JsonSchema } from '../contract/tool.ts'

/** An operation of an API, ready to be described to a model and to be called: plain data that can be sent to a thread. */
export type Operation = {
  /** Of the tool: at most 64 of `a-z A-Z 0-9 _ -`, unique within the description. */
  name: string
  /** As the description has it. */
  operationId?: string
  /** In capitals. */
  method: string
  /** As the description has it, with its places in braces. */
  path: string
  description: string
  /** Of the input: an object of groups, `PathParameters` to `RequestBody`. */
  input: JsonSchema
  /** Absolute, without a slash at the end. */
  server: string
  parameters: OperationParameter[]
  body?: BodyPlan
  /** Any of these opens it, all of one together; empty where it needs no credential. */
  security: AuthScheme[][]
  /** What the description says of it that is not heeded, and why. */
  notes: string[]
}

/** An operation that cannot become a tool. */
export type RefusedOperation = { method: string; path: string; reason: string }

export const PARAMETER_STYLES = [
  'simple',
  'label',
  'matrix',
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'tabDelimited',
  'deepObject',
  'cookie',
] as const
export type ParameterStyle = (typeof PARAMETER_STYLES)[number]

/** How a value is written as text (OpenAPI 3.2, 4.12.6; `tabDelimited` is the `tsv` of Swagger 2.0). */
export type ParameterSerialization = { style: ParameterStyle; explode: boolean; allowReserved: boolean }

export const PARAMETER_LOCATIONS = ['path', 'query', 'querystring', 'header', 'cookie'] as const
export type ParameterLocation = (typeof PARAMETER_LOCATIONS)[number]

/** A parameter: a value of the input, and where in the request it goes. */
export type OperationParameter = ParameterSerialization & {
  name: string
  in: ParameterLocation
  required: boolean
  /** The value is written as this media type first. */
  mediaType?: string
}

/** The name of a slot's group within the input. */
export const INPUT_GROUPS = {
  path: 'PathParameters',
  query: 'QueryParameters',
  querystring: 'QueryParameters',
  header: 'HeaderParameters',
  cookie: 'CookieParameters',
} as const satisfies Record<ParameterLocation, string>

export type BodyPlan = {
  required: boolean
  /** As the request says it. */
  mediaType: string
  /** What becomes of the value; `bytes` come as base64. */
  encoding: 'json' | 'jsonLines' | 'form' | 'multipart' | 'text' | 'bytes'
  /** How single properties of a form are written, where it is not the usual way. */
  parts: Record<string, PartPlan>
}

export type PartPlan = {
  mediaType?: string
  /** The value is base64 and is sent as the bytes of a file. */
  file?: boolean
  serialization?: ParameterSerialization
}

/** What a call has to carry, by the description's name for it. */
export type AuthScheme = { scheme: string } & (
  | { type: 'apiKey'; in: 'header' | 'query' | 'cookie'; name: string }
  | { type: 'basic' }
  | { type: 'bearer' }
)

/** All that a description gave. */
export type ParsedApi = {
  title: string
  /** As the description says it: `3.1.0`, `2.0`. */
  version: string
  /** What may be chosen as server; variables are filled in. */
  servers: string[]
  operations: Operation[]
  refused: RefusedOperation[]
  /** Documents that it refers to and that were not given. */
  missing: string[]
}
