import { isObject, type JsonObject } from '../kit/json.ts'

/** A service that writes speech down, by its name in the column `speechToText` of Flowise. */
export type SpeechService = {
  name: string
  /** The name in messages. */
  provider: string
  /** The kind of credential and the value in it that is the key. */
  credential: { kind: string; key: string }
  /** The address of the service; absent where the setting has it as `baseUrl`. */
  baseURL?: string
  model: string
}

/** Services with OpenAI's protocol. A row is all that one needs. */
export const SPEECH_SERVICES: readonly SpeechService[] = [
  {
    name: 'openAIWhisper',
    provider: 'OpenAI',
    credential: { kind: 'openAIApi', key: 'openAIApiKey' },
    baseURL: 'https://api.openai.com/v1',
    model: 'whisper-1',
  },
  {
    name: 'localAISTT',
    provider: 'LocalAI',
    credential: { kind: 'localAIApi', key: 'localAIApiKey' },
    model: 'whisper-1',
  },
  {
    name: 'groqWhisper',
    provider: 'Groq',
    credential: { kind: 'groqApi', key: 'groqApiKey' },
    baseURL: 'https://api.groq.com/openai/v1',
    model: 'whisper-large-v3',
  },
]

/** The service that a flow has turned on, and what it sets of it. `service` is undefined for one that is not in the table. */
export type ChosenSpeech = { name: string; service: SpeechService | undefined; settings: JsonObject }

/** Reads the column `speechToText`: `{"openAIWhisper": {"status": true, "credentialId": "…"}}`. Undefined if nothing is on. */
export function chosenSpeech(column: unknown): ChosenSpeech | undefined {
  if (!isObject(column)) return undefined
  for (const [name, settings] of Object.entries(column))
    if (isObject(settings) && (settings.status === true || settings.status === 'true'))
      return {
        name,
        service: SPEECH_SERVICES.find((one) => one.name === name),
        settings: settings as JsonObject,
      }
  return undefined
}
