import type { JsonObject } from '../kit/json.ts'

/** The reason why a request needs a separate permission to override an input: the permission `"*"` does not include it. */
export type OverrideGuard = 'credential' | 'url' | 'path' | 'table'

/** How the editor shows an input. The names are Flowise's parameter types. */
export type FieldType =
  | 'string'
  | 'number'
  | 'boolean'
  | 'json'
  | 'options'
  | 'file'
  | 'password'
  | 'code'
  | 'credential'
  | 'array'

/** The kinds of node that an input can select by name, instead of a connection. */
export type SelectableKind = 'chatModel' | 'tools' | 'vectorStore' | 'embedder'

/** The accepted numbers; both ends are included. */
export type NumberRange = { min?: number; max?: number; whole?: boolean }

/** What a form needs besides type and label. */
export type FormHints = {
  /** The value that a new node begins with, where that is not the fallback: flow files without a value keep their meaning. */
  readonly initial?: string | number | boolean
  readonly range?: NumberRange
  /** The unit of a number, such as `seconds`. */
  readonly unit?: string
  /** Shown on the card of the node in a drawing: at most two inputs of a node. */
  readonly main?: true
  /** The input is a text of several lines. */
  readonly multiline?: true
  /** The language of a code input. */
  readonly language?: 'javascript' | 'json'
  /** The labels of options that are not plain from their names. */
  readonly optionLabels?: Readonly<Record<string, string>>
  /** The columns of each row of a list. */
  readonly columns?: Fields
  /** Shown only while each of these inputs has one of the values. */
  readonly showWhen?: Readonly<Record<string, readonly (string | boolean)[]>>
  /** The options come from `POST /node-load-method/:name` with this method. */
  readonly loadMethod?: string
  /** The input is the name of a node type of this kind; the input with the suffix `Config` has its inputs. */
  readonly selects?: SelectableKind
  /** The value is a list of texts. */
  readonly several?: true
  /** An older name of another input: read, but not shown in forms. */
  readonly hidden?: true
}

/**
 * An input of a node. This declaration gives its form in the editor, its default, its override rule, its type, and how
 * its raw value is read. Raw values in flow files vary: `"1000"`, `""`, `true`, JSON as text.
 */
export type Field<T> = FormHints & {
  readonly type: FieldType
  readonly label: string
  /** The value for an empty input: absent, null or an empty text. */
  readonly fallback: T
  readonly description?: string
  /** Shown under "Additional Parameters". */
  readonly additional?: boolean
  /** The values to choose from. For a credential field: the accepted kinds of credential. */
  readonly options?: readonly string[]
  /** The file endings that a file field accepts. */
  readonly fileType?: string
  readonly guard?: OverrideGuard
  /** Merges the object of the flow with that of a request. Default: keys of the request replace those of the flow. */
  readonly merge?: (flowValue: JsonObject, requestValue: JsonObject) => JsonObject
  /** The node needs a value in this input or in one of `alternatives`. */
  readonly required?: true
  /** Other inputs of the node that can be used in place of this one. */
  readonly alternatives?: readonly string[]
  /** The value, or the given column of each row, is a flow of this server: `"ID"`, `"SLUG"` or `"ID:NAME"`. `store`: for its documents. */
  readonly refersTo?: { kind: 'flow'; column?: string; store?: true }
  /** Reads a raw value that is not empty. @throws Error with a reason for the client */
  read(raw: unknown): T
}

/** The inputs of a node, by name. `ValuesOf` is the type of their values. */
export type Fields = Record<string, Field<unknown>>
export type ValuesOf<F extends Fields> = { [N in keyof F]: F[N] extends Field<infer T> ? T : never }
