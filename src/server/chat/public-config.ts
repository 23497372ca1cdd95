import type { FlowRow } from '../../contract/flow-store.ts'
import { type FlowNode, readGraph } from '../../flow/graph.ts'
import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import { chatbotConfigOf } from '../stored-flow.ts'
import { PICTURE_BYTES, PICTURE_TYPES } from './uploads.ts'

/** The keys of `chatbotConfig` that a chat window looks at; whatever else stands there is nobody's business. */
const SHOWN = [
  'starterPrompts',
  'chatFeedback',
  'leads',
  'fullFileUpload',
  'botMessage',
  'userMessage',
  'textInput',
  'feedback',
  'title',
  'titleAvatarSrc',
  'welcomeMessage',
  'errorMessage',
  'backgroundColor',
  'fontSize',
  'poweredByTextColor',
  'showAgentMessages',
  'renderHTML',
  'footer',
  'disclaimer',
  'dateTimeToggle',
] as const

/** What a browser calls the files that are read here. */
const FILE_MIMES = [
  'application/json',
  'application/jsonlines',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'text/csv',
  'text/html',
  'text/markdown',
  'text/plain',
]

/** The inputs of an agent flow's first node that make up the form it begins with. */
const FORM = ['startInputType', 'formTitle', 'formDescription', 'formInputTypes'] as const

/**
 * What anybody may know of a flow: how its chat window looks, what may be sent to it, and the form it begins with.
 *
 * @param megabytes the most an upload may have
 */
export function publicConfig(flow: FlowRow, megabytes: number): JsonObject {
  const config = chatbotConfigOf(flow)
  const nodes = [...readGraph(flow.flowData).nodes.values()]
  const pictures = nodes.some(({ inputs }) => takesPictures(inputs))
  // A switch of Flowise's vector stores; the upsert itself has the last word.
  const files = nodes.some(({ inputs }) => String(inputs.fileUpload) === 'true')
  return {
    ...pick(config, SHOWN),
    followUpPrompts: { status: false },
    uploads: {
      isSpeechToTextEnabled: false,
      isImageUploadAllowed: pictures,
      isRAGFileUploadAllowed: files,
      imgUploadSizeAndTypes: pictures
        ? [{ fileTypes: [...PICTURE_TYPES], maxUploadSize: PICTURE_BYTES / 2 ** 20 }]
        : [],
      fileUploadSizeAndTypes: files ? [{ fileTypes: FILE_MIMES, maxUploadSize: megabytes }] : [],
    },
    isTTSEnabled: false,
    flowData: JSON.stringify({ nodes: nodes.filter(isStart).map(formOf), edges: [] }),
  }
}

const isStart = ({ name }: FlowNode) => name === 'startAgentflow'

const formOf = ({ id, name, inputs }: FlowNode): JsonObject => ({
  id,
  data: { name, inputs: pick(inputs, FORM) },
})

/** Whether a node has a model that was told to look at pictures; an agent holds the inputs of its model in one of its own. */
const takesPictures = (inputs: Record<string, unknown>): boolean =>
  Object.entries(inputs).some(([name, value]) =>
    name === 'allowImageUploads' ? String(value) === 'true' : isObject(value) && takesPictures(value),
  )

const pick = (from: Record<string, unknown>, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.filter((name) => isJson(from[name])).map((name) => [name, from[name] as Json]))

/** What came out of stored JSON is JSON, if it is there. */
const isJson = (value: unknown): value is Json =>
  value !== undefined &&
  (typeof value !== 'object' || value === null || Array.isArray(value) || isObject(value))
