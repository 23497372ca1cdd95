import type { OpenAIProvider } from '@ai-sdk/openai'

/** A chat model of the Vercel AI SDK. */
export type LanguageModel = ReturnType<OpenAIProvider['chat']>
export type ModelCall = Parameters<LanguageModel['doStream']>[0]
export type Prompt = ModelCall['prompt']
export type PromptMessage = Prompt[number]
export type PicturePart = Extract<
  Extract<PromptMessage, { role: 'user' }>['content'][number],
  { type: 'file' }
>
export type ProviderOptions = NonNullable<ModelCall['providerOptions']>
type Streamed = Awaited<ReturnType<LanguageModel['doStream']>>
export type StreamPart = Streamed['stream'] extends ReadableStream<infer Part> ? Part : never

/** Merges provider options. The keys of `above` win, for each provider. */
export const mergeOptions = (below: ProviderOptions, above: ProviderOptions): ProviderOptions => ({
  ...below,
  ...Object.fromEntries(
    Object.entries(above).map(([provider, options]) => [provider, { ...below[provider], ...options }]),
  ),
})
