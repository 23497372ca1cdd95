import type { FlowRow } from '../../contract/flow-store.ts'
import { type FlowNode, readGraph } from '../../flow/graph.ts'
import { isObject, type Json, type JsonObject } from '../../kit/json.ts'
import { chatbotConfigOf } from '../stored-flow.ts'
import { takesSpeech } from './speech.ts'
import { PICTURE_BYTES, PICTURE_TYPES } from './uploads.ts'

/** The fields of `chatbotConfig` that a chat window reads. All others stay private. */
const PUBLIC_FIELDS = [
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

/** The media types of files that the loaders read. */
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

/** The inputs of the start node of an agent flow that describe its form. */
const FORM_INPUTS = ['startInputType', 'formTitle', 'formDescription', 'formInputTypes'] as const

/**
 * The public configuration of a flow: the look of its chat window, the uploads it accepts, and its start form.
 *
 * @param megabytes the maximum size of an upload
 */
export function publicConfig(flow: FlowRow, megabytes: number): JsonObject {
  const config = chatbotConfigOf(flow)
  const nodes = [...readGraph(flow.flowData).nodes.values()]
  const pictures = nodes.some(({ inputs }) => takesPictures(inputs))
  // A switch of vector stores in Flowise. The upsert checks access again.
  const files = nodes.some(({ inputs }) => String(inputs.fileUpload) === 'true')
  return {
    ...pick(config, PUBLIC_FIELDS),
    followUpPrompts: { status: false },
    uploads: {
      isSpeechToTextEnabled: takesSpeech(flow),
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
  data: { name, inputs: pick(inputs, FORM_INPUTS) },
})

/** Whether a node or the model inside one of its inputs is set to take pictures. */
const takesPictures = (inputs: Record<string, unknown>): boolean =>
  Object.entries(inputs).some(([name, value]) =>
    name === 'allowImageUploads' ? String(value) === 'true' : isObject(value) && takesPictures(value),
  )

const pick = (from: Record<string, unknown>, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.filter((name) => isJson(from[name])).map((name) => [name, from[name] as Json]))

/** A present value of stored JSON is JSON. */
const isJson = (value: unknown): value is Json =>
  value !== undefined &&
  (typeof value !== 'object' || value === null || Array.isArray(value) || isObject(value))
