import type { Tool, ToolOutcome } from '../../contract/tool.ts'
import type { Egress } from '../../kit/egress/client.ts'
import { SluiceError } from '../../kit/errors.ts'
import type { Json, JsonObject } from '../../kit/json.ts'
import {
  answerBodyText,
  cutAnswer,
  showExchange,
  withoutSecrets,
  type HttpAnswer,
  type HttpCall,
  sendCall,
} from '../call.ts'
import { refusalBy } from './refusal.ts'
import { type KeyPlace, LONGEST_QUESTION, type WebAnswer, type WebSearchService } from './service.ts'

/** A key as it is sent. One that is `open` is an id and no secret. */
export type PlacedKey = { place: KeyPlace; value: string; open?: boolean }

/** A service as the author of a flow has set it up. */
export type WebSearch = {
  service: WebSearchService
  /** A name that providers accept. */
  name: string
  description: string
  address: string
  headers: Record<string, string>
  /** What is sent with every question. */
  parameters: JsonObject
  keys: readonly PlacedKey[]
  /** The most characters of an answer that the model reads. */
  maxCharacters: number
}

/** The most results that a model reads, and the most characters of the text of one. */
const MOST_RESULTS = 20
const LONGEST_TEXT = 1500

/**
 * A search service as a tool: the model gives a question and reads titles, addresses and texts. A service that fails is an outcome with a
 * sentence that names it.
 */
export function webSearchTool(search: WebSearch, egress: Egress): Tool {
  const { service, name, description, headers, keys, maxCharacters } = search
  const longest = service.longest ?? LONGEST_QUESTION
  const secrets = [...keys.flatMap(({ value, open }) => (open ? [] : [value])), ...Object.values(headers)]
  return {
    name,
    description,
    parameters: {
      type: 'object',
      properties: { input: { type: 'string', description: 'What to look for' } },
      required: ['input'],
      additionalProperties: false,
    },
    async call({ input }, signal) {
      if (typeof input !== 'string' || input.trim() === '')
        return { output: 'Nothing was searched: input is missing', failed: true }
      const call = callOf(search, input.trim().slice(0, longest).toWellFormed())
      const startedAt = performance.now()
      const show = (end: { answer: HttpAnswer } | { error: string }) =>
        showExchange(call, end, performance.now() - startedAt, secrets)
      let answer: HttpAnswer
      try {
        answer = await sendCall(call, { egress }, signal)
      } catch (error) {
        signal.throwIfAborted()
        const reason = error instanceof SluiceError ? error.message : 'the request cannot be sent like this'
        const http = [await show({ error: reason })]
        return { output: masked(`${service.service} did not answer: ${reason}`), failed: true, http }
      }
      return { ...(await outcomeOf(answer)), http: [await show({ answer })] }
    },
  }

  async function outcomeOf(answer: HttpAnswer): Promise<ToolOutcome> {
    const body = await answerBodyText(answer)
    const found = answer.status < 300 && answer.whole ? service.read(body) : undefined
    const empty = found && found.answers.length + found.results.length === 0
    if (!found || empty) {
      const refusal = refusalBy(service, answer, body, { empty: empty === true, needsKey: keys.length > 0 })
      return { ...refusal, output: masked(refusal.output) }
    }
    return { output: cutAnswer(masked(answerText(found)), maxCharacters) }
  }

  // Masked before it is cut: the beginning of a secret that is cut would not be recognised.
  function masked(text: string): string {
    return withoutSecrets(text, secrets)
  }
}

function callOf({ service, address, headers, parameters, keys }: WebSearch, question: string): HttpCall {
  const asked =
    typeof service.question === 'string' ? { [service.question]: question } : service.question(question)
  const url = new URL(address)
  const sent: Record<string, string> = { accept: service.accept ?? 'application/json', ...headers }
  for (const { place, value } of keys) {
    if (place.in === 'bearer') sent.authorization = `Bearer ${value}`
    else if (place.in === 'header') sent[place.name] = value
    else url.searchParams.set(place.name, value)
  }
  const all = { ...parameters, ...asked }
  if (service.method === 'POST')
    return {
      method: 'POST',
      url: url.href,
      headers: { ...sent, 'content-type': 'application/json' },
      body: JSON.stringify(all),
    }
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, plainValue(value))
  return { method: 'GET', url: url.href, headers: sent }
}

const plainValue = (value: Json): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.map(plainValue).join(',')
      : JSON.stringify(value)

const answerText = ({ answers, results }: WebAnswer): string =>
  [
    ...answers.map((text) => cutText(text, LONGEST_TEXT * 8)),
    ...results
      .slice(0, MOST_RESULTS)
      .map(({ title, address, text }, at) =>
        [`${at + 1}. ${title}`, address, cutText(text, LONGEST_TEXT)]
          .filter((line) => line !== '')
          .join('\n'),
      ),
  ].join('\n\n')

const cutText = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`
