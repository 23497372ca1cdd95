import type { Egress } from '../egress/client.ts'
import { isObject, parseJson } from '../json.ts'
import { providerFailure } from './failure.ts'
import { RefusedAnswer } from './refused-answer.ts'

/** A model of a provider: `name` is written into flows. */
export type ListedModel = { label: string; name: string }

export type ModelListCall = {
  egress: Egress
  /** The name of the provider in messages. */
  provider: string
  url: string
  headers: Record<string, string>
  /** Keys that must not occur in a message. */
  secrets: readonly string[]
  keyHint: string
  /** The model in one row of the answer; undefined for a row that is left out. */
  read(row: Record<string, unknown>): ListedModel | undefined
}

/** A list of models is short: a server that sends nothing for so long, in milliseconds, does not have one. */
const LIMITS = { headersMs: 20_000, idleMs: 20_000, responseBytes: 10 * 2 ** 20 }

/**
 * The models that a provider offers, by name: `GET` of `{data: […]}` (OpenAI, Anthropic), `{models: […]}`
 * (Google, Ollama) or `[…]` (Together AI).
 *
 * @throws SluiceError `provider_failed`, `provider_timeout`, `egress_denied`
 */
export async function listModels({
  egress,
  url,
  headers,
  read,
  ...rest
}: ModelListCall): Promise<ListedModel[]> {
  try {
    const response = await egress.forProvider(url).limited(LIMITS)(url, {
      headers: { ...headers, accept: 'application/json' },
    })
    const body = await response.text()
    const rows = response.ok ? rowsOf(parseJson(body)) : undefined
    if (!rows) throw new RefusedAnswer(response, body)
    const models = new Map(
      rows.filter(isObject).flatMap((row) => {
        const model = read(row)
        return model ? [[model.name, model] as const] : []
      }),
    )
    return [...models.values()].sort((a, b) => a.name.localeCompare(b.name))
  } catch (error) {
    const unreadable = 'its answer is no list of models'
    throw providerFailure(error, { ...rest, stage: 'list', unreadable, texts: [] })
  }
}

function rowsOf(body: unknown): unknown[] | undefined {
  if (Array.isArray(body)) return body
  if (!isObject(body)) return undefined
  const rows = body.data ?? body.models
  return Array.isArray(rows) ? rows : undefined
}
