import type { SentUpload } from '../../api/prediction.ts'
import { chosenSpeech } from '../../chat/speech-services.ts'
import { transcribe, type TranscriptionOptions } from '../../chat/transcription.ts'
import type { NodeServices } from '../../contract/card.ts'
import type { FlowRow } from '../../contract/flow-store.ts'
import { SluiceError } from '../../kit/errors.ts'
import { parseJson } from '../../kit/json.ts'
import type { Platform } from '../platform.ts'

/** The largest accepted recording, in bytes: the limit of OpenAI and Groq. */
export const RECORDING_BYTES = 25 * 2 ** 20

/** The accepted types of recordings, each with the ending by which services know it. */
const RECORDING_TYPES: Readonly<Record<string, string>> = {
  'audio/flac': 'flac',
  'audio/m4a': 'm4a',
  'audio/mp3': 'mp3',
  'audio/mp4': 'mp4',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/wave': 'wav',
  'audio/webm': 'webm',
  'audio/x-m4a': 'm4a',
  'audio/x-wav': 'wav',
}

const refusal = (file: string, reason: string, hint?: string) =>
  new SluiceError('upload_refused', { file, reason, ...(hint ? { hint } : {}) })

/** Whether an upload is a recording: clients of Flowise send one as `audio`, or as a file with a media type of audio. */
export const isRecording = ({ type, mime }: SentUpload): boolean =>
  type === 'audio' || (type === 'file' && /^audio\//i.test(mime ?? ''))

/** The column `speechToText` of a flow. */
const columnOf = ({ config }: FlowRow): unknown => {
  const { speechToText: column } = config
  return typeof column === 'string' ? parseJson(column) : column
}

/** Whether a flow takes recordings. */
export const takesSpeech = (flow: FlowRow): boolean => chosenSpeech(columnOf(flow))?.service !== undefined

/**
 * The words of the recordings of a question, one after another, by the service that the flow names.
 *
 * @throws SluiceError `upload_refused` for a flow without a service, a type or a size that is not taken; `credential_missing`, and as
 * `transcribe` does
 */
export async function spokenWords(
  flow: FlowRow,
  recordings: readonly SentUpload[],
  { nodeServices }: Pick<Platform, 'nodeServices'>,
  signal: AbortSignal,
): Promise<string> {
  const [first] = recordings
  if (!first) return ''
  const options = await serviceOf(flow, first.name, nodeServices)
  const words: string[] = []
  // One after another: a question has one as a rule, and services count calls.
  for (const upload of recordings) {
    const { bytes, mime, name } = recordingOf(upload)
    words.push(await transcribe(options, { name, mime, bytes }, signal))
  }
  return words.join('\n')
}

async function serviceOf(
  flow: FlowRow,
  file: string,
  { credential, egress }: Pick<NodeServices, 'credential' | 'egress'>,
): Promise<TranscriptionOptions> {
  const chosen = chosenSpeech(columnOf(flow))
  const hint = 'Set speechToText of the flow, or send the words as text'
  if (!chosen) throw refusal(file, 'this flow takes no audio', hint)
  const { name, service, settings } = chosen
  if (!service) throw refusal(file, `this server does not have the speech service ${name}`, hint)
  const text = (key: string) => {
    const value = settings[key]
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  }
  const baseURL = service.baseURL ?? text('baseUrl')
  if (baseURL === '') throw refusal(file, `${name} of speechToText has no baseUrl`)
  const id = text('credentialId')
  const held = id === '' ? {} : await credential(id, [service.credential.kind])
  const apiKey = held[service.credential.key] || undefined
  if (apiKey === undefined && service.baseURL !== undefined)
    throw new SluiceError('credential_missing', {
      node: 'speechToText',
      reason: `${name} has none`,
      hint: `Give it a credential of the kind ${service.credential.kind}`,
    })
  return {
    egress,
    provider: service.provider,
    baseURL,
    apiKey,
    model: text('model') || service.model,
    fields: Object.fromEntries(
      ['language', 'prompt', 'temperature']
        .map((key) => [key, text(key)] as const)
        .filter(([, value]) => value !== ''),
    ),
  }
}

function recordingOf({ name, mime, data }: SentUpload) {
  const [head = '', encoded = ''] = (data ?? '').split(',', 2)
  if (!/^data:.*;base64$/.test(head) || !/^[A-Za-z0-9+/]*={0,2}$/.test(encoded))
    throw refusal(name, 'its data is no data URL in base64')
  const type = (mime || head.slice('data:'.length)).split(';', 1)[0]!.trim().toLowerCase()
  const ending = RECORDING_TYPES[type]
  if (ending === undefined)
    throw refusal(name, `${type || 'a file without a media type'} is no type of recording that services take`)
  if (encoded.length > Math.ceil(RECORDING_BYTES / 3) * 4)
    throw refusal(name, `a recording may have ${RECORDING_BYTES / 2 ** 20} MB at the most`)
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.length === 0) throw refusal(name, 'it is empty')
  const plain = name.replace(/\.\w+$/, '')
  return { name: `${plain || 'recording'}.${ending}`, mime: type, bytes }
}
