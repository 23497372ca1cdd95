import { type ChatWindow, type QuestionUpload, readAttachments } from '../../../server/chat.ts'

/** How a question of the flow takes files. */
export type FileRules = {
  /** Pictures for the model. */
  pictures: boolean
  /** Texts of files for the model. */
  texts: boolean
  /** Files that are loaded into the store, for this conversation. */
  documents: boolean
  /** Recordings, which become the words of the question. */
  speech: boolean
}

export function fileRules(settings: ChatWindow | undefined): FileRules {
  const { fullFileUpload, uploads } = settings ?? {}
  const texts =
    typeof fullFileUpload === 'object' && fullFileUpload !== null && 'status' in fullFileUpload
      ? fullFileUpload.status === true
      : false
  return {
    pictures: uploads?.isImageUploadAllowed ?? false,
    texts,
    documents: uploads?.isRAGFileUploadAllowed ?? false,
    speech: uploads?.isSpeechToTextEnabled ?? false,
  }
}

export const takesFiles = ({ pictures, texts, documents }: FileRules): boolean =>
  pictures || texts || documents

/** For the file picker: pictures alone where nothing else is taken. */
export const acceptedFiles = ({ texts, documents }: FileRules): string | undefined =>
  texts || documents ? undefined : 'image/png,image/jpeg,image/webp,image/gif'

const isSound = ({ type }: Pick<File, 'type'>) => /^audio\//.test(type)

const isPicture = ({ type }: File) => /^image\/(png|jpeg|webp|gif)$/.test(type)

/**
 * The files of a question as the server takes them. A picture is for the model, a recording is written down; another file is read as text where the flow
 * allows it, otherwise loaded into the store.
 *
 * @throws Error for a file that the flow does not take
 */
export async function questionUploads(
  files: readonly File[],
  rules: FileRules,
  { flowId, chatId }: { flowId: string; chatId: string },
): Promise<QuestionUpload[]> {
  const pictures = files.filter((file) => rules.pictures && isPicture(file))
  const recordings = files.filter((file) => rules.speech && isSound(file))
  const others = files.filter((file) => !pictures.includes(file) && !recordings.includes(file))
  const refused = !rules.texts && !rules.documents ? others[0] : undefined
  if (refused) throw new Error(`The flow takes pictures only, and ${refused.name} is none`)
  const texts = rules.texts && others.length > 0 ? await readAttachments(flowId, chatId, others) : []
  return [
    ...(await Promise.all(pictures.map((file) => upload('file', file)))),
    ...(await Promise.all(recordings.map((file) => upload('audio', file)))),
    ...texts.map(
      ({ name, mimeType, content }): QuestionUpload => ({
        type: 'file:full',
        name,
        mime: mimeType,
        data: content,
      }),
    ),
    ...(rules.texts ? [] : await Promise.all(others.map((file) => upload('file:rag', file)))),
  ]
}

async function upload(type: QuestionUpload['type'], file: File): Promise<QuestionUpload> {
  return { type, name: file.name, mime: file.type, data: await dataUrl(file) }
}

function dataUrl(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.addEventListener('load', () => resolve(String(reader.result)))
  reader.addEventListener('error', () => reject(new Error(`${file.name} cannot be read`)))
  reader.readAsDataURL(file)
  return promise
}
