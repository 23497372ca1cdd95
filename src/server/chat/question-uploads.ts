import type { FlowRow } from '../../contract/flow-store.ts'
import type { UploadedFile } from '../../contract/loader.ts'
import type { Config } from '../../kit/config.ts'
import { SluiceError } from '../../kit/errors.ts'
import { isObject } from '../../kit/json.ts'
import { chatbotConfigOf, flowSource } from '../stored-flow.ts'
import type { Platform } from '../platform.ts'
import { shelveFiles, type UploadLimits } from '../uploads.ts'
import { sessionOwner } from './turn.ts'
import {
  textOfFile,
  withLinkedPictures,
  type LoadableFile,
  readFormFiles,
  readUploads,
  type QuestionUploads,
} from './uploads.ts'
import type { SentUpload } from '../../api/prediction.ts'

/** What came with a question, as the client sent it. */
export type QuestionUploadRequest = {
  sent: readonly SentUpload[]
  files: readonly UploadedFile[]
  /** The conversation that files for the store are loaded for. */
  chatId: string
  /** The session that goes on with the question; its chat where the request names none. */
  sessionId?: string | undefined
  /** Who asks. */
  caller: string
  /** Whether the caller may load documents into the flow. */
  mayLoad: boolean
}

/** What one request may attach to a question: a few files, not a library. */
export const attachmentLimits = (config: Config): Omit<UploadLimits, 'shortage'> => ({
  megabytes: Math.min(50, config.MAX_UPLOAD_MB),
  files: Math.min(20, config.MAX_FILES),
})

/** Whether a flow takes files whose text goes along with a question. */
export function acceptsAttachments(flow: FlowRow): boolean {
  const { fullFileUpload } = chatbotConfigOf(flow)
  return isObject(fullFileUpload) && fullFileUpload.status === true
}

export function createQuestionUploads({ nodeServices, jobs, messages, upserts, uploadDirectory }: Platform) {
  /** Loads files into the store of the flow and waits until they can be found. */
  async function load(flow: FlowRow, files: readonly LoadableFile[], chatId: string): Promise<void> {
    const upload = await shelveFiles(uploadDirectory, files)
    let taken = false
    try {
      const { plan: _, ...prepared } = upserts.prepare(flowSource(flow), {
        overrides: {},
        uploads: upload.files,
        chatId,
      })
      const shelved = { folder: upload.folder, files: upload.files.map(({ path: _, ...file }) => file) }
      const { job } = await jobs.submit({ ...prepared, kind: 'upsert', flowId: flow.id, uploads: shelved })
      taken = true
      await jobs.result(job.id)
    } finally {
      if (!taken) await upload.discard()
    }
  }

  return {
    /**
     * Makes of uploads what goes to the model, and loads what is for the store.
     *
     * @throws SluiceError `upload_refused`, `attachments_disabled`, `session_taken`, and as reading and loading files do
     */
    async take(flow: FlowRow, uploads: QuestionUploadRequest, signal: AbortSignal): Promise<QuestionUploads> {
      const taken = readUploads(await withLinkedPictures(uploads.sent, nodeServices.egress, signal))
      const ofForm = await readFormFiles(uploads.files, (file) => {
        if (!acceptsAttachments(flow)) throw new SluiceError('attachments_disabled', { file: file.name })
        return textOfFile(file, nodeServices.parser, signal)
      })
      const [first] = taken.toLoad
      if (first && !uploads.mayLoad)
        throw new SluiceError('upload_refused', {
          file: first.name,
          reason: 'the caller may not load documents into this flow',
        })
      if (first && uploads.caller !== 'manager') {
        const { chatId, sessionId = chatId } = uploads
        await messages.requireOwner(
          { flowId: flow.id, chatId, sessionId },
          sessionOwner(flow, uploads.caller),
        )
      }
      if (first) await load(flow, taken.toLoad, uploads.chatId)
      return {
        asked: [...taken.asked, ...ofForm.asked],
        pictures: [...taken.pictures, ...ofForm.pictures],
        toLoad: [],
      }
    },
  }
}
