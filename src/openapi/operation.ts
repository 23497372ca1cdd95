import type { JsonSchema } from '../contract/tool.ts'

/**
 * An operation of an API, ready to be described to a model and to be called: plain data that can be sent to a thread.
 */
export type Operation = {
  /** Name of the tool: at most 64 characters of `a-z A-Z 0-9 _ -`, unique within the description. */
  name: string
  /** As the description has it. */
  operationId?: string
  /** In upper case. */
  method: string
  /** As in the description, with parameters in braces. */
  path: string
  description: string
  /** Schema of the input: an object of groups, `PathParameters` to `RequestBody`. */
  input: JsonSchema
  /** Absolute, without a slash at the end. */
  server: string
  parameters: OperationParameter[]
  body?: BodyPlan
  /** Alternatives, each a list of schemes that are needed together; empty if no credential is needed. */
  security: AuthScheme[][]
  /** Parts of the description that are ignored, and why. */
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

/** How a parameter is written as text (OpenAPI 3.2, 4.12.6; `tabDelimited` is the `tsv` of Swagger 2.0). */
export type ParameterSerialization = { style: ParameterStyle; explode: boolean; allowReserved: boolean }

export const PARAMETER_LOCATIONS = ['path', 'query', 'querystring', 'header', 'cookie'] as const
export type ParameterLocation = (typeof PARAMETER_LOCATIONS)[number]

/** A parameter: a value of the input, and its location in the request. */
export type OperationParameter = ParameterSerialization & {
  name: string
  in: ParameterLocation
  required: boolean
  /** The value is first written in this media type. */
  mediaType?: string
}

/** The group in the input for each location of parameters. */
export const INPUT_GROUPS = {
  path: 'PathParameters',
  query: 'QueryParameters',
  querystring: 'QueryParameters',
  header: 'HeaderParameters',
  cookie: 'CookieParameters',
} as const satisfies Record<ParameterLocation, string>

export type BodyPlan = {
  required: boolean
  /** The content type of the request. */
  mediaType: string
  /** How the value is encoded; `bytes` are base64 in the input. */
  encoding: 'json' | 'jsonLines' | 'form' | 'multipart' | 'text' | 'bytes'
  /** The encoding of single properties of a form, if it is not the default. */
  parts: Record<string, PartPlan>
}

export type PartPlan = {
  mediaType?: string
  /** The value is base64 and is sent as the bytes of a file. */
  file?: boolean
  serialization?: ParameterSerialization
}

/** A security scheme that a call needs, with the description's name for it. */
export type AuthScheme = { schemeName: string } & (
  | { type: 'apiKey'; in: 'header' | 'query' | 'cookie'; name: string }
  | { type: 'basic' }
  | { type: 'bearer' }
)

/** The result of reading a description. */
export type ParsedApi = {
  title: string
  /** The version in the description: `3.1.0`, `2.0`. */
  version: string
  /** The servers that may be chosen, with variables filled in. */
  servers: string[]
  operations: Operation[]
  refused: RefusedOperation[]
  /** Addresses of documents that it refers to and that were not given. */
  missing: string[]
}
