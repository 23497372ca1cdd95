import { SluiceError } from '../kit/errors.ts'
import type { UserInput } from './conversation.ts'
import type { PredictionRequest } from './prediction.ts'

/** What a request asks, with the files that came along: text in front of the question, pictures beside it. */
export function readUserInput({
  question,
  uploads,
}: PredictionRequest): UserInput & { question: string; fileText: string } {
  const fileText = uploads
    .filter(({ type }) => type === 'text')
    .map(({ name, data }) => `<doc name='${name}'>${data}</doc>`)
    .join('\n\n')
  const images = uploads.filter(({ type }) => type === 'image').map(({ data, mime }) => ({ url: data, mime }))
  const text = [fileText, question ?? ''].filter(Boolean).join('\n\n')
  return { question: question ?? '', fileText, text, images }
}

/** @throws SluiceError `question_missing` */
export function requireQuestion({ text, images }: UserInput): void {
  if (text.trim() === '' && images.length === 0) throw new SluiceError('question_missing')
}
