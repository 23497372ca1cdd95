import type { SourceQuestionsAnswer } from '../../api/source-trace.ts'
import type { ChatMessageRow } from '../../contract/chat-message-store.ts'
import type { ChunkStore } from '../../contract/chunk-store.ts'
import type { Metadata } from '../../contract/document.ts'
import { sourceOf } from '../../documents/citation.ts'
import { findFlow } from '../../flow/find-flow.ts'
import { canonicalJson, isObject, type JsonObject } from '../../kit/json.ts'
import { isoTime } from '../management.ts'
import type { Platform } from '../platform.ts'
import { storeForCaller, usedNamespaces } from '../stored-flow.ts'

/** How many messages, and how many chunks of the document, are looked at, and how many at once. */
const MOST = { messages: 1000, chunks: 5000, flows: 20 }
const PAGE = { messages: 100, chunks: 1000 }

/** How many questions of a chunk are told, and how much of each. */
const SHOWN = { questions: 5, characters: 500 }

type ChunkQuestion = SourceQuestionsAnswer['data'][number]['questions'][number]
type Found = { answers: number; questions: ChunkQuestion[] }

/**
 * Which questions have found which chunks of a document, by the sources of stored answers: those of the flow, and of other flows with
 * the same documents. Queries without a conversation are stored nowhere.
 *
 * @throws SluiceError `flow_not_found`
 */
export async function questionsOfSource(
  platform: Platform,
  idOrSlug: string,
  { source, stopNodeId }: { source: string; stopNodeId?: string | undefined },
): Promise<SourceQuestionsAnswer> {
  const flow = await findFlow(platform.flows, idOrSlug)
  const store = storeForCaller(platform, flow, { stopNodeId }, undefined)
  const found = new Map<string, Found>()
  const seen = { answers: 0, complete: true }
  const shared = (await usedNamespaces(flow, platform)).find(({ namespace }) => namespace === store.namespace)
  const others = (shared?.sharedWith ?? []).slice(0, MOST.flows - 1)
  let left = MOST.messages
  for (const one of [flow, ...(await Promise.all(others.map((slug) => findFlow(platform.flows, slug))))]) {
    for await (const answer of answersOf(platform, one.id, left)) {
      if (answer === 'more') seen.complete = false
      else {
        left -= 2
        seen.answers++
        note(found, source, { ...answer, flow: one.slug })
      }
    }
  }
  const { ids, complete } = await idsOf(store, source, found)
  const data = [...ids].map(([key, chunk]) => {
    const { answers, questions } = found.get(key)!
    return { chunk, answers, questions: questions.slice(0, SHOWN.questions) }
  })
  const hits = (all: Iterable<{ answers: number }>) => [...all].reduce((sum, { answers }) => sum + answers, 0)
  return {
    data: data.sort((one, other) => other.answers - one.answers),
    answers: seen.answers,
    complete: seen.complete && complete,
    gone: complete ? hits(found.values()) - hits(data) : 0,
  }
}

type Answered = { question: string; answer: ChatMessageRow }

/** The stored answers of a flow with their questions, the newest first; `more` where there are too many messages to look at all. */
async function* answersOf(
  { messages }: Pick<Platform, 'messages'>,
  flowId: string,
  most: number,
): AsyncGenerator<Answered | 'more'> {
  const waiting = new Map<string, ChatMessageRow>()
  for (let offset = 0; offset < most; offset += PAGE.messages) {
    const { rows, total } = await messages.list(
      flowId,
      {},
      { ascending: false, offset, limit: PAGE.messages },
    )
    for (const row of rows) {
      if (row.role === 'apiMessage') waiting.set(row.chatId, row)
      else {
        const answer = waiting.get(row.chatId)
        waiting.delete(row.chatId)
        if (answer) yield { question: row.content, answer }
      }
    }
    if (offset + rows.length >= total || rows.length === 0) return
  }
  yield 'more'
}

function note(
  found: Map<string, Found>,
  source: string,
  { question, answer, flow }: Answered & { flow: string },
): void {
  const { sourceDocuments } = answer.details
  if (!Array.isArray(sourceDocuments)) return
  const told = new Set<string>()
  for (const [at, document] of sourceDocuments.entries()) {
    if (!isObject(document)) continue
    const { pageContent, metadata } = document as JsonObject
    if (typeof pageContent !== 'string' || !isObject(metadata)) continue
    if (sourceOf(metadata as Metadata) !== source) continue
    const key = keyOf(pageContent, metadata as Metadata)
    if (told.has(key)) continue
    told.add(key)
    const one = found.get(key) ?? { answers: 0, questions: [] }
    found.set(key, one)
    one.answers++
    one.questions.push({
      ...{ question: question.slice(0, SHOWN.characters), flow, chatId: answer.chatId, messageId: answer.id },
      ...{ rank: at + 1, at: isoTime(answer.createdAt) },
    })
  }
}

/** Chunks of equal text and metadata are the same to a reader of an answer. */
const keyOf = (text: string, metadata: Metadata): string => `${canonicalJson(metadata)}\n${text}`

/** The ids of the chunks that were found, by their texts and metadata. */
async function idsOf(
  store: ChunkStore,
  source: string,
  found: ReadonlyMap<string, Found>,
): Promise<{ ids: Map<string, string>; complete: boolean }> {
  const ids = new Map<string, string>()
  for (let offset = 0; ids.size < found.size; offset += PAGE.chunks) {
    if (offset >= MOST.chunks) return { ids, complete: false }
    const { rows, total } = await store.chunks({ source, offset, limit: PAGE.chunks })
    for (const { id, pageContent, metadata } of rows) {
      const key = keyOf(pageContent, metadata)
      if (found.has(key) && !ids.has(key)) ids.set(key, id)
    }
    if (offset + rows.length >= total || rows.length === 0) break
  }
  return { ids, complete: true }
}
